//! Many games or positions at once: where they come from, and what is made of them.
