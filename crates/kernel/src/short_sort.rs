//! The sorting of short lists. Each type that the standard library sorts adds some ten kilobytes to a module for
//! browsers, of which the rules of a game have 150.

/// Sorts a short list by insertion. Equal items keep their order.
///
/// ```
/// let mut squares = ["c4", "a2", "b3", "a1"];
/// alfil_kernel::short_sort::sort_short(&mut squares, |a, b| a < b);
/// assert_eq!(squares, ["a1", "a2", "b3", "c4"]);
/// ```
pub fn sort_short<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && is_less(&items[place], &items[place - 1]) {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}
