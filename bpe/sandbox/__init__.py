"""Processes with limits of time and memory, for what strangers have written."""
