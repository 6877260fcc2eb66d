/* Alfil: boards, engine and records of xiangqi, chess and Othello.
 *
 * Made by cbindgen from apps/capi/src: edit that, then run `cargo xtask c --header`.
 * Licensed under either of MIT or Apache 2.0, at your choice.
 *
 * Errors. Functions return an alfil_status. If it is not ALFIL_STATUS_OK, alfil_last_error() is a sentence that says what
 * is wrong and where; results are then 0, false or NULL, the squares of a move -1. No input ends the process: NULL, texts
 * that are not UTF-8, pointers that were freed or belong to other objects, and numbers out of range are errors. An
 * internal error of the library is ALFIL_STATUS_INTERNAL.
 *
 * Memory. What a function gives in an `out_` pointer belongs to the caller, who frees it with the function of its type:
 * alfil_text_free for texts (`char *`), alfil_board_free for boards, and so on. All free functions allow NULL. The fields
 * of a structure that the library gives belong to the structure. Arguments are only read, and copied where they are
 * needed later. No object needs another one to live: an engine may be freed before its analyses, a game before its boards.
 *
 * Threads. Any thread may call any function. An object may go from thread to thread. Boards, readers and the reports of
 * an analysis are used by one thread at a time: a call on one that another thread uses fails with ALFIL_STATUS_BUSY.
 * Different objects are independent. An engine may be used by several threads at once. alfil_engine_stop and
 * alfil_analysis_stop may be called at any time. The structures that the library gives are never changed.
 *
 * Texts are UTF-8 and end with a NUL.
 *
 * Versions. A program that was built with a version runs with every later one of the same ABI, which is that of the first
 * two numbers (0.1), from 1.0 on of the first. The library has it in its name: libalfil.so.0.1. Later versions may have
 * more functions, more values of enumerations, and more fields at the end of structures. A program therefore takes the
 * structures that the library gives as they are, by their pointers, and copies none; and the two that it fills begin with
 * their size: `alfil_limits limits = ALFIL_LIMITS_INIT;`.
 */

#ifndef ALFIL_H
#define ALFIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this header. alfil_version() is that of the library.
#define ALFIL_VERSION_MAJOR 0
#define ALFIL_VERSION_MINOR 1
#define ALFIL_VERSION_PATCH 0
#define ALFIL_VERSION "0.1.0"

// The first values of the structures that the caller fills: their size, and nothing given.
#define ALFIL_ENGINE_OPTIONS_INIT {sizeof(alfil_engine_options), 0, 0, NULL, NULL, NULL, 0}
#define ALFIL_LIMITS_INIT {sizeof(alfil_limits), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL}

// More moves than any position has.
#define ALFIL_MAX_MOVES 256

// What a call returns. `alfil_last_error` has the sentence.
typedef enum alfil_status {
    // The call succeeded.
    ALFIL_STATUS_OK = 0,
    // A pointer that must not be NULL is NULL.
    ALFIL_STATUS_NULL_POINTER = 1,
    // A text is not UTF-8.
    ALFIL_STATUS_NOT_UTF8 = 2,
    // A pointer is not one that the library gave, or was freed, or belongs to an object of another kind.
    ALFIL_STATUS_INVALID_HANDLE = 3,
    // Another thread uses the object at this moment. The object is unchanged.
    ALFIL_STATUS_BUSY = 4,
    // A number is out of range, or there is no game, notation, square or ruleset of this name.
    ALFIL_STATUS_INVALID_ARGUMENT = 5,
    // A position text cannot be read, or the position cannot be played.
    ALFIL_STATUS_INVALID_POSITION = 6,
    // A text or a number is no move of the game or of the notation.
    ALFIL_STATUS_INVALID_MOVE = 7,
    // The move is not legal in the position; the message has the reason.
    ALFIL_STATUS_ILLEGAL_MOVE = 8,
    // A text fits several legal moves.
    ALFIL_STATUS_AMBIGUOUS_MOVE = 9,
    // There is no move to take back.
    ALFIL_STATUS_NO_MOVE = 10,
    // Nothing came before the time was over.
    ALFIL_STATUS_TIMEOUT = 11,
    // A file cannot be opened or read.
    ALFIL_STATUS_IO = 12,
    // A file of games, or a game, cannot be read or written.
    ALFIL_STATUS_RECORD = 13,
    // The library has an error. The message says where; please report it.
    ALFIL_STATUS_INTERNAL = 14,
} alfil_status;

// Who won.
typedef enum alfil_game_result {
    // The game continues, or its result is unknown: `*`.
    ALFIL_GAME_RESULT_UNKNOWN = 0,
    // The side with the first move won, White or Red, in Othello Black: `1-0`.
    ALFIL_GAME_RESULT_FIRST_WINS = 1,
    // The other side won: `0-1`.
    ALFIL_GAME_RESULT_SECOND_WINS = 2,
    // A draw: `1/2-1/2`.
    ALFIL_GAME_RESULT_DRAW = 3,
} alfil_game_result;

// Whether a score is exact.
typedef enum alfil_score_bound {
    // The score is the value itself.
    ALFIL_SCORE_BOUND_EXACT = 0,
    // The value is this score or more.
    ALFIL_SCORE_BOUND_LOWER = 1,
    // The value is this score or less.
    ALFIL_SCORE_BOUND_UPPER = 2,
} alfil_score_bound;

// The kind of the evaluation that a move of a file has.
typedef enum alfil_eval_kind {
    // There is none.
    ALFIL_EVAL_KIND_NONE = 0,
    // Centipawns for the first side.
    ALFIL_EVAL_KIND_CENTIPAWNS = 1,
    // The number of moves to mate; positive if the first side wins.
    ALFIL_EVAL_KIND_MATE = 2,
} alfil_eval_kind;

// A running search.
typedef struct alfil_analysis alfil_analysis;

// A position with the moves that led to it, of any of the three games.
typedef struct alfil_board alfil_board;

// An engine in this process. It searches boards of all games and keeps what it found for the next search.
typedef struct alfil_engine alfil_engine;

// A reader of a file of games.
typedef struct alfil_reader alfil_reader;

// A position that is set up, perhaps impossible, of any of the three games.
typedef struct alfil_setup alfil_setup;

// A list of texts. Free it with `alfil_texts_free`. It is part of other structures: no version has more fields.
typedef struct alfil_texts {
    // The number of texts.
    size_t count;
    // The texts; they belong to the list.
    const char *const *items;
} alfil_texts;

// A move of any game as a number, its encoding in bits. It is a move only together with its game: in another game the
// same number is another move, or none.
typedef uint32_t alfil_move;

// A move of a repetition and what it does.
typedef struct alfil_ruling_ply {
    // The number of the ply in the game, from 1.
    size_t number;
    // The move in the requested notation.
    const char *move_text;
    // `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`.
    const char *move_class;
    // The pieces that the move newly attacks with profit, each with its square, separated by commas.
    const char *victims;
    // The new attacks, separated by commas: the squares of the attacker and of the attacked piece, and after a colon
    // those of the pieces that could take back: `h2 h9: g7 i9`.
    const char *attacks;
} alfil_ruling_ply;

// The verdict on a repetition with its reasons. Free it with `alfil_ruling_free`.
typedef struct alfil_ruling {
    // Who wins, or a draw; unknown if the game continues.
    enum alfil_game_result result;
    // The name of the ruleset.
    const char *rules;
    // The cause in one word: `perpetual_chase`; `none` if the game continues.
    const char *cause;
    // The verdict: `red_loses`, `black_loses`, `draw` or `none`, or in Chinese.
    const char *verdict;
    // Verdict and cause in one line.
    const char *heading;
    // The verdict and its reasons, a sentence each.
    struct alfil_texts explanation;
    // The moves by which the offender could have avoided the loss, instead of its last move.
    struct alfil_texts alternatives;
    // The verdict of the ruleset and those of other readings of disputed rules, a sentence each; none if all agree.
    struct alfil_texts disputed;
    // The numbers of the first and the last ply of the repetition; 0 without one.
    size_t first_ply;
    // See `first_ply`.
    size_t last_ply;
    // The number of moves of the repetition.
    size_t ply_count;
    // The moves of the repetition.
    const struct alfil_ruling_ply *const *plies;
} alfil_ruling;

// The exact solution of a position of Othello. Free it with `alfil_solution_free`.
typedef struct alfil_solution {
    // The final score for the side to move, in discs; 1, 0 or -1 if only the winner was requested.
    int32_t score;
    // The number of positions visited.
    uint64_t nodes;
    // The number of moves of the best line to the end of the game.
    size_t pv_count;
    // The moves of the best line.
    const alfil_move *pv;
    // The same in coordinates, separated by spaces.
    const char *pv_text;
} alfil_solution;

// The options of an engine. Begin with ALFIL_ENGINE_OPTIONS_INIT, which has the default of each.
typedef struct alfil_engine_options {
    // The size of the structure, in bytes: `sizeof(alfil_engine_options)`.
    size_t size;
    // The number of threads of a search; 0 stands for 1.
    uint32_t threads;
    // The size of the table in MiB, of which each game that is searched has one; 0 stands for 32.
    uint32_t hash_mib;
    // The ruleset of xiangqi by which repetitions are searched; NULL for the one of play between people.
    const char *rules;
    // "default" (or NULL), or "terms" for the hand-made evaluation.
    const char *evaluation;
    // The bytes of a network file that evaluates instead, or NULL. They are copied.
    const uint8_t *network;
    // The number of these bytes.
    size_t network_size;
} alfil_engine_options;

// The limits of a search; the first that is reached ends it. 0 and NULL mean that a limit is not given: begin with
// ALFIL_LIMITS_INIT, which gives none.
typedef struct alfil_limits {
    // The size of the structure, in bytes: `sizeof(alfil_limits)`.
    size_t size;
    // The maximum depth, in plies.
    uint32_t depth;
    // A forced win in this number of moves ends the search.
    uint32_t mate;
    // The number of best lines; 0 stands for 1.
    uint32_t multipv;
    // The skill level from 1 to 10; 0 for full strength.
    uint32_t level;
    // The seed of the random choices of a skill level; 0 for a new one.
    uint64_t seed;
    // The maximum number of positions.
    uint64_t nodes;
    // The maximum time, in milliseconds.
    uint64_t time_ms;
    // The time left on the clock of the side to move, in milliseconds.
    uint64_t clock_ms;
    // The time added after each move, in milliseconds.
    uint64_t increment_ms;
    // The number of moves until the next time control.
    uint32_t moves_to_go;
    // The only moves to search, in coordinates, separated by spaces.
    const char *root_moves;
} alfil_limits;

// The report of a search after an iteration.
typedef struct alfil_report {
    // The number of this line among several, from 1.
    uint32_t multipv;
    // The depth of the iteration, in plies.
    uint32_t depth;
    // The greatest depth reached in it, in plies.
    uint32_t seldepth;
    // The score for the side to move: centipawns, in Othello hundredths of a disc.
    int32_t score;
    // The number of moves to a forced end; positive if the side to move wins, negative if it loses, 0 if none was
    // found.
    int32_t mate;
    // The part of the table in use, in permille.
    uint32_t hashfull;
    // The number of positions searched.
    uint64_t nodes;
    // The time since the start, in milliseconds.
    uint64_t time_ms;
    // The number of moves of the best line.
    size_t pv_count;
    // The moves of the best line.
    const alfil_move *pv;
    // The same in coordinates, separated by spaces.
    const char *pv_text;
    // Whether the score is exact. It may be a bound while the solver of Othello runs, and if an iteration is stopped.
    enum alfil_score_bound bound;
} alfil_report;

// Receives a report. The report belongs to the library and is valid until the function returns; the search waits for
// it. A result other than 0 ends the search, and the function is not called again. It is called on the thread that
// called alfil_engine_analyse, may call the library, and must not throw or jump out.
typedef int32_t (*alfil_report_callback)(const struct alfil_report *report, void *user_data);

// A tag of a game.
typedef struct alfil_tag {
    // The name.
    const char *name;
    // The value.
    const char *value;
} alfil_tag;

// A move of a game with its annotations. The node of index 0 is the start of the game.
typedef struct alfil_node {
    // The index of the node before it; 0 at the start.
    size_t parent;
    // The move in coordinates; `0000` is a null move. Empty at the start.
    const char *move_text;
    // The comment before the move, at the start of a variation; never NULL.
    const char *comment_before;
    // The comment after the move; never NULL.
    const char *comment;
    // The number of numeric annotation glyphs.
    size_t nag_count;
    // The glyphs: 1 is `!`, 2 is `?`.
    const uint8_t *nags;
    // The kind of the evaluation.
    enum alfil_eval_kind eval_kind;
    // The evaluation; 0 without one.
    int32_t eval;
    // The time left to the player who moved, in milliseconds; -1 if unknown.
    int64_t clock_ms;
    // The time spent on the move, in milliseconds; -1 if unknown.
    int64_t elapsed_ms;
} alfil_node;

// A game of a file. Free it with `alfil_game_free`.
typedef struct alfil_game {
    // The name of the game: `xiangqi`, `chess` or `othello`; empty if nothing could be read.
    const char *game;
    // The number of the game in its file, from 1.
    uint64_t number;
    // The byte offset of the game in its file; -1 in formats that are read as a whole.
    int64_t offset;
    // The result.
    enum alfil_game_result result;
    // The text of the initial position; NULL for the start position of the game.
    const char *start_fen;
    // The place and reason of the error that ended the game; NULL if it was read to its end.
    const char *error;
    // The parts that were skipped in reading.
    struct alfil_texts warnings;
    // The number of tags.
    size_t tag_count;
    // The tags in the order of the file.
    const struct alfil_tag *const *tags;
    // The number of nodes: the start and every move, variations included.
    size_t node_count;
    // The nodes. A node follows its parent, and the main continuation precedes its alternatives.
    const struct alfil_node *const *nodes;
    // The number of moves of the main line.
    size_t main_line_count;
    // The indices of the nodes of the main line.
    const size_t *main_line;
} alfil_game;

// The null move, which passes the turn.
#define ALFIL_NULL_MOVE 0

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library. The text is constant.
const char *alfil_version(void);

// Returns the message of the last call of this thread that failed; empty if none did. The text belongs to the library
// and is valid until the next call of this thread that fails.
const char *alfil_last_error(void);

// Returns the name of a status: `ILLEGAL_MOVE`; `UNKNOWN` for a number that is no status. The text is constant.
const char *alfil_status_name(int32_t status);

// Returns the number of objects that the caller holds: handles, results and texts that were given and not freed.
size_t alfil_live_objects(void);

// Frees a text that a function has given in a `char **`. NULL is allowed.
enum alfil_status alfil_text_free(char *text);

// Frees a list of texts. NULL is allowed.
enum alfil_status alfil_texts_free(const struct alfil_texts *texts);

// Gives the names of the notations of a game; the first is that of coordinates. The list belongs to the caller.
enum alfil_status alfil_notations(const char *game,
                                  const struct alfil_texts **out_names);

// Gives the names of the rulesets by which repetitions of a game are judged, the one for play between people first;
// empty for games that have none. The list belongs to the caller.
enum alfil_status alfil_rulesets(const char *game,
                                 const struct alfil_texts **out_names);

// Writes a move in coordinates: `e2e4`, in xiangqi `h2e2` with ranks from 0, in Othello `f5` or `pass`; `0000` for the
// null move. The text belongs to the caller.
enum alfil_status alfil_move_text(const char *game,
                                  alfil_move mv,
                                  char **out_text);

// Reads a move in coordinates, legal or not.
enum alfil_status alfil_move_parse(const char *game, const char *text, alfil_move *out_move);

// Gives the indices of the squares that a move leaves and reaches, -1 where it has none (a pass, a new disc), and the
// lower-case letter of the piece promoted to, or 0. Each of the three places may be NULL. If the call fails, the
// squares are -1.
enum alfil_status alfil_move_squares(const char *game,
                                     alfil_move mv,
                                     int32_t *out_from,
                                     int32_t *out_to,
                                     char *out_promotion);

// Gives the name of the square with an index. The text belongs to the caller.
enum alfil_status alfil_square_name(const char *game, size_t index, char **out_name);

// Gives the index of the square with a name.
enum alfil_status alfil_square_index(const char *game, const char *name, size_t *out_index);

// Makes a board. `game` is "xiangqi", "chess" or "othello". `fen` is a FEN, an EPD, in Othello also a board string;
// NULL is the start position. Chess960 needs no switch. `waive` names issues of the position to accept, separated by
// spaces ("all" accepts every one that can be waived), or is NULL: see alfil_position_issues.
//
// The caller owns the board and frees it with alfil_board_free.
enum alfil_status alfil_board_new(const char *game,
                                  const char *fen,
                                  const char *waive,
                                  struct alfil_board **out_board);

// Makes a board at the start position of Chess960 with this number, 0 to 959; 518 is the position of chess.
enum alfil_status alfil_board_new_chess960(uint32_t number,
                                           struct alfil_board **out_board);

// Makes a board with the same position and the same moves. The two are independent.
enum alfil_status alfil_board_clone(const struct alfil_board *board, struct alfil_board **out_board);

// Frees a board. NULL is allowed.
enum alfil_status alfil_board_free(struct alfil_board *board);

// Gives the name of the game. The text belongs to the caller.
enum alfil_status alfil_board_game(const struct alfil_board *board, char **out_game);

// Gives the position text with its move counters. The text belongs to the caller.
enum alfil_status alfil_board_fen(const struct alfil_board *board, char **out_fen);

// Gives the text of the position before the first move. The text belongs to the caller.
enum alfil_status alfil_board_start_fen(const struct alfil_board *board, char **out_fen);

// Gives the side to move: 0 for the side with the first move (White, Red, in Othello Black), 1 for the other.
enum alfil_status alfil_board_side_to_move(const struct alfil_board *board,
                                           int32_t *out_side);

// Gives the hash key of the position. Equal positions have equal keys.
enum alfil_status alfil_board_hash_key(const struct alfil_board *board, uint64_t *out_key);

// Gives how often the position has occurred in the game, this time included.
enum alfil_status alfil_board_occurrences(const struct alfil_board *board, size_t *out_count);

// Gives whether the side to move is in check.
enum alfil_status alfil_board_is_check(const struct alfil_board *board, bool *out_is_check);

// Gives whether a move is legal. A null move is not.
enum alfil_status alfil_board_is_legal(const struct alfil_board *board,
                                       alfil_move mv,
                                       bool *out_is_legal);

// Gives whether a legal move captures a piece.
enum alfil_status alfil_board_is_capture(const struct alfil_board *board,
                                         alfil_move mv,
                                         bool *out_is_capture);

// Gives whether a legal move gives check.
enum alfil_status alfil_board_gives_check(const struct alfil_board *board,
                                          alfil_move mv,
                                          bool *out_gives_check);

// Gives the letter of the piece on a square, given by its name, upper case for the first side (in Othello X for Black,
// O for White); 0 if it is empty.
enum alfil_status alfil_board_piece_at(const struct alfil_board *board,
                                       const char *square,
                                       char *out_letter);

// Gives the names of the squares of the pieces of a side (0 or 1, as alfil_board_side_to_move gives it) that attack a
// square, or protect it, pinned pieces included; none in Othello. The list belongs to the caller.
enum alfil_status alfil_board_attackers(const struct alfil_board *board,
                                        const char *square,
                                        int32_t side,
                                        const struct alfil_texts **out_squares);

// Gives whether a side of chess (0 or 1) has the right to castle with the rook on the king's side and with the one on
// the queen's side. Each of the two places may be NULL.
enum alfil_status alfil_board_castling_rights(const struct alfil_board *board,
                                              int32_t side,
                                              bool *out_kingside,
                                              bool *out_queenside);

// Writes the letters of the pieces by the index of their squares into `letters`, `.` on empty squares, without a NUL:
// at most `capacity` of them. `out_count` receives the number of squares.
enum alfil_status alfil_board_pieces(const struct alfil_board *board,
                                     char *letters,
                                     size_t capacity,
                                     size_t *out_count);

// Writes the legal moves into `moves`, at most `capacity` of them; ALFIL_MAX_MOVES are always enough. `out_count`
// receives the number of legal moves. Those that a ruleset of xiangqi refuses are among them: see
// alfil_board_refused_moves.
enum alfil_status alfil_board_legal_moves(const struct alfil_board *board,
                                          alfil_move *moves,
                                          size_t capacity,
                                          size_t *out_count);

// Writes the legal moves that a ruleset of xiangqi refuses in this game now into `moves`, at most `capacity` of them;
// ALFIL_MAX_MOVES are always enough. `out_count` receives their number. `rules` is a ruleset (see alfil_rulesets), or
// NULL for the one of play between people, which refuses none.
enum alfil_status alfil_board_refused_moves(const struct alfil_board *board,
                                            const char *rules,
                                            alfil_move *moves,
                                            size_t capacity,
                                            size_t *out_count);

// Gives why a ruleset of xiangqi refuses a legal move in this game now; NULL if it does not. `rules` is as for
// alfil_board_refused_moves, `language` is "en" (or NULL) or "zh". The text belongs to the caller.
enum alfil_status alfil_board_refusal(const struct alfil_board *board,
                                      alfil_move mv,
                                      const char *rules,
                                      const char *language,
                                      char **out_reason);

// Writes the moves played so far into `moves`, at most `capacity` of them. `out_count` receives their number.
enum alfil_status alfil_board_played_moves(const struct alfil_board *board,
                                           alfil_move *moves,
                                           size_t capacity,
                                           size_t *out_count);

// Plays a legal move; ALFIL_NULL_MOVE passes the turn, unless a side is in check. The board is unchanged if the call
// fails.
enum alfil_status alfil_board_push(struct alfil_board *board,
                                   alfil_move mv);

// Reads and plays a legal move: see alfil_board_parse_move. `out_move` may be NULL.
enum alfil_status alfil_board_push_text(struct alfil_board *board,
                                        const char *text,
                                        const char *notation,
                                        alfil_move *out_move);

// Takes the last move back. `out_move` receives it, or may be NULL.
enum alfil_status alfil_board_pop(struct alfil_board *board, alfil_move *out_move);

// Reads a legal move in a notation: see alfil_notations. Without one (NULL), in the first notation that can read the
// text: the one that people write (SAN, WXF, transcripts), then the others in their order.
enum alfil_status alfil_board_parse_move(const struct alfil_board *board,
                                         const char *text,
                                         const char *notation,
                                         alfil_move *out_move);

// Writes a legal move in a notation; without one (NULL), in the one that people write. The text belongs to the caller.
enum alfil_status alfil_board_format_move(const struct alfil_board *board,
                                          alfil_move mv,
                                          const char *notation,
                                          char **out_text);

// Writes a line of moves from this position, separated by spaces. The text belongs to the caller.
enum alfil_status alfil_board_format_line(const struct alfil_board *board,
                                          const alfil_move *moves,
                                          size_t count,
                                          const char *notation,
                                          char **out_text);

// Gives whether two boards have the same position with equal move counters. The boards may be the same.
enum alfil_status alfil_board_equal(const struct alfil_board *board,
                                    const struct alfil_board *other,
                                    bool *out_is_equal);

// Gives the result of the game at this position, ALFIL_GAME_RESULT_UNKNOWN if it continues. `rules` is a ruleset of
// xiangqi; in chess "claimed" if draws by the third repetition and by 50 moves are claimed, else "unclaimed"; NULL is
// the ruleset for play between people ("unclaimed" in chess).
//
// `out_cause` receives the cause in one word (`checkmate`), `out_message` the verdict as a sentence. Both belong to
// the caller, are NULL if the game continues, and may be left out (NULL). So may `out_margin`: the number of discs by
// which the winner of Othello is ahead, 0 in other games.
enum alfil_status alfil_board_outcome(const struct alfil_board *board,
                                      const char *rules,
                                      enum alfil_game_result *out_result,
                                      int32_t *out_margin,
                                      char **out_cause,
                                      char **out_message);

// Rules on the repetition at the end of a game of xiangqi, with the reasons.
//
// `rules` is a ruleset (see alfil_rulesets), or NULL for the one of play between people. `occurrences` is the
// occurrence at which a repetition is judged, 0 for that of the ruleset. `notation` is that of the moves, NULL for
// coordinates. `language` is "en" (or NULL) or "zh". The ruling belongs to the caller.
enum alfil_status alfil_board_judge(const struct alfil_board *board,
                                    const char *rules,
                                    size_t occurrences,
                                    const char *notation,
                                    const char *language,
                                    const struct alfil_ruling **out_ruling);

// Frees a ruling. NULL is allowed.
enum alfil_status alfil_ruling_free(const struct alfil_ruling *ruling);

// Gives the board as text. `style` is "hanzi" (or NULL) for the usual characters of the pieces, "letters", or "ascii".
// The text belongs to the caller.
enum alfil_status alfil_board_text(const struct alfil_board *board,
                                   const char *style,
                                   char **out_text);

// Gives a picture of the board as SVG. The text belongs to the caller.
enum alfil_status alfil_board_svg(const struct alfil_board *board, char **out_svg);

// Gives the issues of a position text, one text each: its name, a colon, and a sentence. Names of issues that can be
// waived have a star before the colon. The list belongs to the caller.
enum alfil_status alfil_position_issues(const char *game,
                                        const char *fen,
                                        const struct alfil_texts **out_issues);

// Counts the legal move paths of `depth` plies (0 to 64) with this number of threads; 0 stands for 1. The time grows
// with the count. A count above the largest number of 64 bits is an error.
enum alfil_status alfil_board_perft(const struct alfil_board *board,
                                    uint32_t depth,
                                    uint32_t threads,
                                    uint64_t *out_nodes);

// Solves a position of Othello exactly with this number of threads; 0 stands for 1. If `outcome_only` is not 0, finds
// only who wins, which is many times faster. The time grows with the number of empty squares: 20 take less than a
// second. The solution belongs to the caller.
enum alfil_status alfil_board_solve(const struct alfil_board *board,
                                    uint32_t threads,
                                    int32_t outcome_only,
                                    const struct alfil_solution **out_solution);

// Frees a solution. NULL is allowed.
enum alfil_status alfil_solution_free(const struct alfil_solution *solution);

// Makes a setup of a position text (see alfil_board_new), whatever issues it has; NULL is the start position.
//
// The caller owns the setup and frees it with alfil_setup_free.
enum alfil_status alfil_setup_new(const char *game,
                                  const char *fen,
                                  struct alfil_setup **out_setup);

// Makes a setup of the position of a board, without its moves. The caller owns the setup.
enum alfil_status alfil_board_setup(const struct alfil_board *board, struct alfil_setup **out_setup);

// Frees a setup. NULL is allowed.
enum alfil_status alfil_setup_free(struct alfil_setup *setup);

// Removes all pieces and rights; the side with the first move is to move, and the counters begin anew.
enum alfil_status alfil_setup_clear(struct alfil_setup *setup);

// Puts the piece with a letter (see alfil_board_piece_at) on a square, in place of one that is there. In chess, rights
// that are impossible then are lost: castling without king or rook, a capture en passant without the pawn.
enum alfil_status alfil_setup_put(struct alfil_setup *setup,
                                  const char *square,
                                  char letter);

// Removes the piece on a square. Rights are lost as by alfil_setup_put. `out_letter` receives the letter of the piece,
// 0 if there was none, and may be NULL.
enum alfil_status alfil_setup_remove(struct alfil_setup *setup,
                                     const char *square,
                                     char *out_letter);

// Gives the letter of the piece on a square: see alfil_board_piece_at.
enum alfil_status alfil_setup_piece_at(const struct alfil_setup *setup,
                                       const char *square,
                                       char *out_letter);

// Lets a side move: 0 is the one with the first move (White, Red, in Othello Black), 1 the other.
enum alfil_status alfil_setup_set_side_to_move(struct alfil_setup *setup, int32_t side);

// Sets the castling rights of chess as FEN writes them: "KQkq", "-", or the files of the rooks, as in Chess960.
enum alfil_status alfil_setup_set_castling_rights(struct alfil_setup *setup,
                                                  const char *rights);

// Sets the square behind a pawn that has just moved two squares; NULL for none.
enum alfil_status alfil_setup_set_en_passant(struct alfil_setup *setup, const char *square);

// Gives the position text. The text belongs to the caller.
enum alfil_status alfil_setup_fen(const struct alfil_setup *setup, char **out_fen);

// Gives the issues of the position: see alfil_position_issues. The list belongs to the caller.
enum alfil_status alfil_setup_issues(const struct alfil_setup *setup, const struct alfil_texts **out_issues);

// Makes a board of the position. `waive` is as for alfil_board_new. The board belongs to the caller.
enum alfil_status alfil_setup_board(const struct alfil_setup *setup,
                                    const char *waive,
                                    struct alfil_board **out_board);

// Makes an engine. `options` may be NULL. The tables are made when a search first needs them.
//
// The caller owns the engine and frees it with alfil_engine_free.
enum alfil_status alfil_engine_new(const struct alfil_engine_options *options, struct alfil_engine **out_engine);

// Stops all searches of an engine and frees it. Analyses that it started remain and are freed by their owner. NULL is
// allowed.
enum alfil_status alfil_engine_free(struct alfil_engine *engine);

// Stops all searches that the engine has started; each still ends with its best move. Any thread may call this at any
// time.
enum alfil_status alfil_engine_stop(const struct alfil_engine *engine);

// Clears the transposition tables and the histories of earlier searches.
enum alfil_status alfil_engine_clear(struct alfil_engine *engine);

// Gives the static evaluation of a position for the side to move: centipawns, in Othello hundredths of a disc.
enum alfil_status alfil_engine_evaluate(const struct alfil_engine *engine,
                                        const struct alfil_board *board,
                                        int32_t *out_score);

// Starts a search on threads of its own and returns at once. Without limits (NULL) it runs until it is stopped. The
// board may be changed and freed meanwhile.
//
// The caller owns the analysis and frees it with alfil_analysis_free.
enum alfil_status alfil_engine_start(const struct alfil_engine *engine,
                                     const struct alfil_board *board,
                                     const struct alfil_limits *limits,
                                     struct alfil_analysis **out_analysis);

// Searches a position and returns when the search ends. There must be a limit (depth, nodes, time or clock) unless
// there is a callback. The callback may be NULL; it receives every report until it ends the search.
//
// `out_move` receives the move to play, ALFIL_NULL_MOVE if there is none, and may be NULL. `out_report` receives the
// last report of the best line, of those that the callback received, if there is one. It belongs to the caller
// (alfil_report_free), and may be NULL.
enum alfil_status alfil_engine_analyse(const struct alfil_engine *engine,
                                       const struct alfil_board *board,
                                       const struct alfil_limits *limits,
                                       alfil_report_callback callback,
                                       void *user_data,
                                       alfil_move *out_move,
                                       const struct alfil_report **out_report);

// Waits for the next report, at most `timeout_ms` milliseconds, without end if that is negative. At the end of the
// search `out_report` is NULL. If nothing came in time, the call fails with ALFIL_STATUS_TIMEOUT.
//
// The report belongs to the caller, who frees it with alfil_report_free.
enum alfil_status alfil_analysis_next(const struct alfil_analysis *analysis,
                                      int64_t timeout_ms,
                                      const struct alfil_report **out_report);

// Waits for the end of the search, drops its other reports, and gives the move to play: ALFIL_NULL_MOVE if there is
// none. Stop a search without limits before.
enum alfil_status alfil_analysis_wait(const struct alfil_analysis *analysis,
                                      alfil_move *out_move);

// Requests the end of the search; the last reports and the best move still come. Any thread may call this at any time
// before the analysis is freed.
enum alfil_status alfil_analysis_stop(const struct alfil_analysis *analysis);

// Stops the search, waits for its end, and frees the analysis. NULL is allowed.
enum alfil_status alfil_analysis_free(struct alfil_analysis *analysis);

// Frees a report of alfil_analysis_next or alfil_engine_analyse. NULL is allowed.
enum alfil_status alfil_report_free(const struct alfil_report *report);

// Opens a file of games of any format that Alfil reads: PGN of all games, XQF, CBR, CBL, CBF, UBB, DhtmlXQ, WXF, GGF,
// SGF, WTHOR, OBF, transcripts. PGN of any size is read as a stream. `game` names the game where the file does not, or
// is NULL.
//
// The caller owns the reader and frees it with alfil_reader_free.
enum alfil_status alfil_reader_open(const char *path,
                                    const char *game,
                                    struct alfil_reader **out_reader);

// As alfil_reader_open, for the bytes of a file, which are copied.
enum alfil_status alfil_reader_from_bytes(const uint8_t *bytes,
                                          size_t size,
                                          const char *game,
                                          struct alfil_reader **out_reader);

// Gives the name of the format of the file, NULL if it is text of no certain format, which is read as PGN. The text
// belongs to the caller.
enum alfil_status alfil_reader_format(const struct alfil_reader *reader,
                                      char **out_format);

// Reads the next game; `out_game` is NULL at the end of the file. A game that cannot be read to its end has the moves
// before the fault, and the fault in `error`. The game belongs to the caller, who frees it with alfil_game_free.
enum alfil_status alfil_reader_next(struct alfil_reader *reader,
                                    const struct alfil_game **out_game);

// Frees a reader. NULL is allowed.
enum alfil_status alfil_reader_free(struct alfil_reader *reader);

// Frees a game with its tags and nodes. NULL is allowed.
enum alfil_status alfil_game_free(const struct alfil_game *game);

// Makes a board at a node of a game, with the moves that lead there: 0 is the start. The board belongs to the caller.
enum alfil_status alfil_game_board(const struct alfil_game *game,
                                   size_t node,
                                   struct alfil_board **out_board);

// Makes a game of the moves of a board. `tags` are `tag_count` pairs of name and value: 2 * `tag_count` texts.
// `result` is one of alfil_game_result. The game belongs to the caller, who frees it with alfil_game_free.
enum alfil_status alfil_game_from_board(const struct alfil_board *board,
                                        const char *const *tags,
                                        size_t tag_count,
                                        int32_t result,
                                        const struct alfil_game **out_game);

// Writes a game in a format: "pgn" (or NULL), or one of those of its game that are written: "xqf", "cbr", "cbf", "ubb"
// and "wxf" of xiangqi, "ggf", "sgf", "wthor", "obf" and "transcript" of Othello. `notation` is that of the moves of a
// PGN, or NULL.
//
// The bytes are written into `bytes`, at most `capacity` of them; `out_size` receives their full number. Call with
// `capacity` 0 to learn the size.
enum alfil_status alfil_game_write(const struct alfil_game *game,
                                   const char *format,
                                   const char *notation,
                                   uint8_t *bytes,
                                   size_t capacity,
                                   size_t *out_size);

// Gives the index of the last node of the main line; 0 if there is no move.
enum alfil_status alfil_game_end(const struct alfil_game *game, size_t *out_node);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ALFIL_H */
