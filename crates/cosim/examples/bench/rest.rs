//! The end of what comes in a round.

/// Plays cycles until so many in a row have been quiet; `cycle` plays one and says whether it was.
pub fn rest(
    quiet_cycles: u64,
    longest: u64,
    mut cycle: impl FnMut() -> Result<bool, String>,
) -> Result<(), String> {
    let (mut quiet, mut waited) = (0, 0);
    while quiet < quiet_cycles {
        quiet = if cycle()? { quiet + 1 } else { 0 };
        waited += 1;
        if waited == longest {
            return Err("something waits and waits".to_owned());
        }
    }
    Ok(())
}
