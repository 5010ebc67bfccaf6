"""Tests of couriers."""
