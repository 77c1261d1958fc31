//! FAST 1.1: template model, decoder and encoder.
