//! The integration tests of the search, in one program, because each would compile the search of every game anew.

mod forced_results;
mod lazy_smp;
mod oracle_ladder;
mod quiescence;
mod root_lines;
mod search_results;
mod skill_levels;
