//! The integration tests of the records, in one program, which compiles the generic code of the formats once.

mod ccbridge;
mod dhtmlxq;
mod othello;
mod othello_files;
mod pgn;
mod random_tree;
mod reported;
mod round_trips;
mod samples;
mod text_game;
mod visitor;
mod xiangqi;
mod xiangqi_files;
mod xiangqi_trees;
mod xqf;
