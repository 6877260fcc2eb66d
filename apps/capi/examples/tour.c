/* A tour of the library: a game with its legal moves, an analysis, and a repetition that is judged.
 *
 * cc -Itarget/c/include -o tour apps/capi/examples/tour.c -Ltarget/c/lib -lalfil -Wl,-rpath,$PWD/target/c/lib
 */

#include <stdio.h>
#include <stdlib.h>

#include <alfil.h>

/* Functions that can fail return a status; the message says what is wrong and where. */
static void try_call(alfil_status status)
{
    if (status != ALFIL_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", alfil_status_name((int32_t)status), alfil_last_error());
        exit(1);
    }
}

static void print_board(const alfil_board *board)
{
    char *text;
    try_call(alfil_board_text(board, "letters", &text));
    printf("%s\n", text);
    try_call(alfil_text_free(text));
}

/* Prints the legal moves as people write them. */
static void print_legal_moves(const alfil_board *board)
{
    alfil_move moves[ALFIL_MAX_MOVES];
    size_t count, i;
    try_call(alfil_board_legal_moves(board, moves, ALFIL_MAX_MOVES, &count));
    printf("%u legal moves:", (unsigned)count);
    for (i = 0; i < count; i++) {
        char *text;
        try_call(alfil_board_format_move(board, moves[i], NULL, &text));
        printf(" %s", text);
        try_call(alfil_text_free(text));
    }
    printf("\n\n");
}

/* Receives the reports of a search. */
static int32_t print_report(const alfil_report *report, void *user_data)
{
    (void)user_data;
    printf("depth %2u  score %+5d  %s\n", (unsigned)report->depth, (int)report->score, report->pv_text);
    return 0;
}

/* Plays a game of chess against itself, a few plies long. */
static void play_game(alfil_engine *engine)
{
    const char *opening[] = {"e4", "e5", "Nf3", "Nc6"};
    alfil_limits limits = ALFIL_LIMITS_INIT;
    alfil_board *board;
    alfil_move move;
    char *fen;
    int ply;
    try_call(alfil_board_new("chess", NULL, NULL, &board));
    for (ply = 0; ply < 4; ply++) {
        try_call(alfil_board_push_text(board, opening[ply], NULL, NULL));
    }
    print_board(board);
    print_legal_moves(board);
    limits.depth = 6;
    try_call(alfil_engine_analyse(engine, board, &limits, print_report, NULL, NULL, NULL));
    limits.depth = 0;
    limits.nodes = 5000;
    for (ply = 0; ply < 6; ply++) {
        try_call(alfil_engine_analyse(engine, board, &limits, NULL, NULL, &move, NULL));
        try_call(alfil_board_push(board, move));
    }
    try_call(alfil_board_fen(board, &fen));
    printf("\nafter six more plies: %s\n\n", fen);
    try_call(alfil_text_free(fen));
    if (alfil_board_push_text(board, "Ke5", NULL, NULL) != ALFIL_STATUS_OK) {
        printf("refused: %s\n\n", alfil_last_error());
    }
    try_call(alfil_board_free(board));
}

/* Red's rook gives check with every move of a repetition: Red loses. */
static void judge_repetition(void)
{
    const char *moves[] = {"i8i9", "d9d8", "i9i8", "d8d9", "i8i9", "d9d8", "i9i8", "d8d9", "i8i9"};
    const alfil_ruling *ruling;
    alfil_board *board;
    size_t i;
    try_call(alfil_board_new("xiangqi", "3k5/8R/9/9/9/9/9/9/9/4K4 w", NULL, &board));
    for (i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        try_call(alfil_board_push_text(board, moves[i], "ucci", NULL));
    }
    try_call(alfil_board_judge(board, "axf", 0, "wxf", "en", &ruling));
    printf("%s\n", ruling->heading);
    for (i = 0; i < ruling->explanation.count; i++) {
        printf("  %s\n", ruling->explanation.items[i]);
    }
    for (i = 0; i < ruling->ply_count; i++) {
        printf("  ply %u: %s, %s\n", (unsigned)ruling->plies[i]->number, ruling->plies[i]->move_text,
               ruling->plies[i]->move_class);
    }
    try_call(alfil_ruling_free(ruling));
    try_call(alfil_board_free(board));
}

int main(void)
{
    alfil_engine *engine;
    printf("Alfil %s\n\n", alfil_version());
    try_call(alfil_engine_new(NULL, &engine));
    play_game(engine);
    judge_repetition();
    try_call(alfil_engine_free(engine));
    return alfil_live_objects() == 0 ? 0 : 1;
}
