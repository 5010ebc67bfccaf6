"""Machinery that applies kit.helpers on behalf of services.

Intake reads partners' files, the outbox carries events, the renderer prints
documents and the charge calculator adds up money. Services say what they want
read, sent, printed or charged; how a value is parsed, keyed, formatted or
rounded is settled here, once.
"""
