//! The display of clock times.

use std::time::Duration;

/// Below this time the clock shows tenths of a second and warns.
pub(crate) const LOW_TIME: Duration = Duration::from_secs(10);

/// Formats a time: with hours if there are any, with tenths if little time is left.
pub(crate) fn format_time(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let end = if left < LOW_TIME { format!(".{}", left.subsec_millis() / 100) } else { String::new() };
    match hours {
        0 => format!("{minutes}:{rest:02}{end}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_hours_and_tenths_only_when_needed() {
        let texts = [0, 9_990, 10_000, 61_500, 300_000, 3_725_000]
            .map(|left| format_time(Duration::from_millis(left)));
        assert_eq!(texts, ["0:00.0", "0:09.9", "0:10", "1:01", "5:00", "1:02:05"]);
    }
}
