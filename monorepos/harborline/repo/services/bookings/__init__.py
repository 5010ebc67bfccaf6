"""Taking freight on: what may be booked, when and at what chargeable weight."""
