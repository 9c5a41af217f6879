"""What the Learn page draws."""
