"""What the Train page draws."""
