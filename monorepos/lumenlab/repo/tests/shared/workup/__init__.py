"""Tests of workup."""
