"""The underactuated finger: friction up, flexion and internal force down."""
