"""Results: reference ranges, verification, critical values."""
