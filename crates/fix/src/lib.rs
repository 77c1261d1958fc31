//! FIX 4.4: parser, encoder and session layer.
