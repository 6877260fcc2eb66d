/* Boards: making, playing, errors, texts, and a loop of boards made and freed.
 * Argument: the number of boards of the loop. */

#include "check.h"

static void test_a_game_of_chess(void)
{
    alfil_board *board, *twin;
    alfil_move move, moves[ALFIL_MAX_MOVES];
    alfil_game_result result;
    size_t count;
    int32_t side, from, to;
    uint64_t key, other_key;
    bool flag;
    char letter, squares[64], *text, *cause, *message;
    OK(alfil_board_new("chess", NULL, NULL, &board));
    OK(alfil_board_hash_key(board, &key));
    OK(alfil_board_push_text(board, "f3", NULL, NULL));
    OK(alfil_board_push_text(board, "e7e5", NULL, &move));
    OK(alfil_move_squares("chess", move, &from, &to, &letter));
    CHECK(from == 52 && to == 36 && letter == 0);
    OK(alfil_square_name("chess", 52, &text));
    TEXT_IS(text, "e7");
    OK(alfil_board_push_text(board, "g4", "san", NULL));
    OK(alfil_board_fen(board, &text));
    TEXT_IS(text, "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
    OK(alfil_board_side_to_move(board, &side));
    CHECK(side == 1);
    OK(alfil_board_parse_move(board, "Qh4#", "san", &move));
    OK(alfil_board_gives_check(board, move, &flag));
    CHECK(flag);
    OK(alfil_board_is_capture(board, move, &flag));
    CHECK(!flag);
    OK(alfil_board_clone(board, &twin));
    OK(alfil_board_push(twin, move));
    OK(alfil_board_is_check(twin, &flag));
    CHECK(flag);
    OK(alfil_board_equal(board, twin, &flag));
    CHECK(!flag);
    OK(alfil_board_equal(twin, twin, &flag));
    CHECK(flag);
    OK(alfil_board_outcome(twin, NULL, &result, NULL, &cause, &message));
    CHECK(result == ALFIL_GAME_RESULT_SECOND_WINS && strlen(message) > 10);
    OK(alfil_text_free(message));
    TEXT_IS(cause, "checkmate");
    OK(alfil_board_outcome(board, "claimed", &result, NULL, &cause, NULL));
    CHECK(result == ALFIL_GAME_RESULT_UNKNOWN && cause == NULL);
    OK(alfil_board_piece_at(twin, "h4", &letter));
    CHECK(letter == 'q');
    OK(alfil_board_pieces(twin, squares, 64, &count));
    CHECK(count == 64 && memcmp(squares, "RNBQKBNR", 8) == 0 && squares[16] == '.');
    OK(alfil_board_played_moves(twin, moves, 2, &count));
    CHECK(count == 4);
    OK(alfil_board_pop(twin, &move));
    OK(alfil_move_text("chess", move, &text));
    TEXT_IS(text, "d8h4");
    while (alfil_board_pop(board, NULL) == ALFIL_STATUS_OK) {
    }
    FAILS(ALFIL_STATUS_NO_MOVE, alfil_board_pop(board, NULL));
    OK(alfil_board_hash_key(board, &other_key));
    CHECK(key == other_key);
    OK(alfil_board_free(board));
    OK(alfil_board_free(twin));
}

static void test_errors(void)
{
    alfil_board *board;
    const alfil_texts *issues;
    const alfil_ruling *ruling;
    alfil_move move;
    bool flag;
    char *text;
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_new("go", NULL, NULL, &board));
    CHECK(board == NULL && strstr(alfil_last_error(), "xiangqi") != NULL);
    FAILS(ALFIL_STATUS_INVALID_POSITION, alfil_board_new("chess", "8/8/8/8/8/8/8/8 w - - 0 1", NULL, &board));
    CHECK(strstr(alfil_last_error(), "no king") != NULL);
    FAILS(ALFIL_STATUS_INVALID_POSITION, alfil_board_new("xiangqi", "garbage", NULL, &board));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_new("xiangqi", NULL, "nonsense", &board));
    FAILS(ALFIL_STATUS_NOT_UTF8, alfil_board_new("xiangqi", "\xff\xfe", NULL, &board));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_new_chess960(960, &board));
    OK(alfil_board_new("chess", NULL, NULL, &board));
    FAILS(ALFIL_STATUS_ILLEGAL_MOVE, alfil_board_push_text(board, "Ke2", NULL, &move));
    CHECK(move == ALFIL_NULL_MOVE);
    FAILS(ALFIL_STATUS_INVALID_MOVE, alfil_board_push_text(board, "hello", NULL, NULL));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_push_text(board, "e4", "wxf", NULL));
    FAILS(ALFIL_STATUS_INVALID_MOVE, alfil_board_push(board, 0xffffffffu));
    OK(alfil_move_parse("chess", "e2e5", &move));
    FAILS(ALFIL_STATUS_ILLEGAL_MOVE, alfil_board_push(board, move));
    OK(alfil_board_is_legal(board, move, &flag));
    CHECK(!flag);
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_judge(board, NULL, 0, NULL, NULL, &ruling));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_square_name("chess", 64, &text));
    OK(alfil_board_push(board, ALFIL_NULL_MOVE));
    OK(alfil_board_free(board));
    OK(alfil_board_new("chess", "4k3/8/8/8/8/8/R6R/1N2K1N1 w - - 0 1", NULL, &board));
    FAILS(ALFIL_STATUS_AMBIGUOUS_MOVE, alfil_board_parse_move(board, "Rd2", "san", &move));
    OK(alfil_board_free(board));
    OK(alfil_position_issues("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1", &issues));
    CHECK(issues->count == 1 && strchr(issues->items[0], ':') != NULL);
    OK(alfil_texts_free(issues));
    CHECK(strcmp(alfil_status_name(8), "ILLEGAL_MOVE") == 0);
    CHECK(strcmp(alfil_status_name(-1), "UNKNOWN") == 0);
}

static void test_xiangqi_and_othello(void)
{
    const char *six_checks[] = {"d7e7", "e9f9", "e7f7", "f9e9", "f7e7", "e9f9",
                                "e7f7", "f9e9", "f7e7", "e9f9", "e7f7", "f9e9"};
    alfil_move move, refused[ALFIL_MAX_MOVES];
    size_t count;
    bool flag;
    alfil_board *board;
    const alfil_ruling *ruling;
    const alfil_texts *rules;
    const alfil_solution *solution;
    alfil_move line[2];
    int32_t margin;
    alfil_game_result result;
    char *text;
    int i;
    OK(alfil_rulesets("xiangqi", &rules));
    CHECK(rules->count == 7 && strcmp(rules->items[0], "axf") == 0);
    OK(alfil_texts_free(rules));
    OK(alfil_board_new("xiangqi", NULL, NULL, &board));
    OK(alfil_board_push_text(board, "炮二平五", NULL, &line[0]));
    OK(alfil_board_push_text(board, "h8+7", NULL, &line[1]));
    OK(alfil_board_pop(board, NULL));
    OK(alfil_board_pop(board, NULL));
    OK(alfil_board_format_line(board, line, 2, "chinese", &text));
    TEXT_IS(text, "炮二平五 马８进７");
    OK(alfil_board_text(board, "ascii", &text));
    CHECK(strstr(text, "R") != NULL);
    OK(alfil_text_free(text));
    OK(alfil_board_svg(board, &text));
    CHECK(strncmp(text, "<svg", 4) == 0);
    OK(alfil_text_free(text));
    OK(alfil_board_free(board));

    OK(alfil_board_new("xiangqi", "3k5/8R/9/9/9/9/9/9/9/4K4 w", NULL, &board));
    OK(alfil_board_push_text(board, "i8i9", NULL, NULL));
    for (i = 0; i < 2; i++) {
        OK(alfil_board_push_text(board, "d9d8", NULL, NULL));
        OK(alfil_board_push_text(board, "i9i8", NULL, NULL));
        OK(alfil_board_push_text(board, "d8d9", NULL, NULL));
        OK(alfil_board_push_text(board, "i8i9", NULL, NULL));
    }
    OK(alfil_board_judge(board, "axf", 0, "chinese", "zh", &ruling));
    CHECK(ruling->result == ALFIL_GAME_RESULT_SECOND_WINS);
    CHECK(strcmp(ruling->heading, "红方判负（长将）") == 0);
    CHECK(strcmp(ruling->cause, "perpetual_check") == 0);
    OK(alfil_ruling_free(ruling));
    OK(alfil_board_outcome(board, "axf", &result, NULL, NULL, NULL));
    CHECK(result == ALFIL_GAME_RESULT_SECOND_WINS);
    OK(alfil_board_free(board));

    OK(alfil_board_new("xiangqi", "4k4/9/3R5/9/9/4P4/9/9/9/3K5 w", NULL, &board));
    for (i = 0; i < 12; i++) {
        OK(alfil_board_push_text(board, six_checks[i], "ucci", NULL));
    }
    OK(alfil_board_parse_move(board, "f7e7", "ucci", &move));
    OK(alfil_board_is_legal(board, move, &flag));
    OK(alfil_board_refused_moves(board, "tiantian", refused, ALFIL_MAX_MOVES, &count));
    CHECK(flag && count > 0);
    for (i = 0, flag = false; i < (int)count; i++) {
        flag = flag || refused[i] == move;
    }
    CHECK(flag);
    OK(alfil_board_refusal(board, move, "tiantian", NULL, &text));
    CHECK(strstr(text, "6 checks") != NULL);
    OK(alfil_text_free(text));
    OK(alfil_board_refusal(board, move, "tiantian", "zh", &text));
    CHECK(strstr(text, "6 着") != NULL);
    OK(alfil_text_free(text));
    OK(alfil_board_refusal(board, move, NULL, NULL, &text));
    CHECK(text == NULL);
    OK(alfil_board_refused_moves(board, NULL, refused, ALFIL_MAX_MOVES, &count));
    CHECK(count == 0);
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_refused_moves(board, "club", refused, ALFIL_MAX_MOVES, &count));
    OK(alfil_board_free(board));

    OK(alfil_board_new("othello", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", NULL,
                       &board));
    OK(alfil_board_solve(board, 2, 0, &solution));
    CHECK(solution->score == 18 && solution->pv_count > 0 && strncmp(solution->pv_text, "g8", 2) == 0);
    for (i = 0; i < (int)solution->pv_count; i++) {
        OK(alfil_board_push(board, solution->pv[i]));
    }
    OK(alfil_board_outcome(board, NULL, &result, &margin, NULL, NULL));
    CHECK(result == ALFIL_GAME_RESULT_FIRST_WINS && margin == 18);
    OK(alfil_solution_free(solution));
    OK(alfil_board_free(board));
    OK(alfil_board_new("chess", NULL, NULL, &board));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_solve(board, 1, 0, &solution));
    OK(alfil_board_free(board));
}

static void test_many_boards(long count)
{
    const char *games[] = {"xiangqi", "chess", "othello"};
    const char *moves[] = {"h2e2", "e2e4", "f5"};
    long i;
    for (i = 0; i < count; i++) {
        alfil_board *board;
        OK(alfil_board_new(games[i % 3], NULL, NULL, &board));
        OK(alfil_board_push_text(board, moves[i % 3], NULL, NULL));
        OK(alfil_board_free(board));
    }
}

/* A position that is set up may be impossible meanwhile, which a board never is. */
static void test_setup(void)
{
    alfil_setup *setup;
    alfil_board *board;
    const alfil_texts *texts;
    bool kingside, queenside;
    char letter, *text;
    OK(alfil_setup_new("chess", NULL, &setup));
    OK(alfil_setup_remove(setup, "h1", &letter));
    CHECK(letter == 'R');
    OK(alfil_setup_fen(setup, &text));
    TEXT_IS(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1");
    OK(alfil_setup_clear(setup));
    OK(alfil_setup_put(setup, "e1", 'K'));
    OK(alfil_setup_put(setup, "h1", 'R'));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_setup_put(setup, "e9", 'K'));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_setup_put(setup, "e4", 'x'));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_setup_put(setup, "e4", (char)-1));
    FAILS(ALFIL_STATUS_INVALID_POSITION, alfil_setup_board(setup, "all", &board));
    OK(alfil_setup_issues(setup, &texts));
    CHECK(texts->count == 1 && strstr(texts->items[0], "Black has no king") != NULL);
    OK(alfil_texts_free(texts));
    OK(alfil_setup_put(setup, "e8", 'k'));
    OK(alfil_setup_put(setup, "d4", 'p'));
    OK(alfil_setup_put(setup, "e4", 'P'));
    OK(alfil_setup_set_castling_rights(setup, "K"));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_setup_set_castling_rights(setup, "everything"));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_setup_set_side_to_move(setup, 2));
    OK(alfil_setup_set_side_to_move(setup, 1));
    OK(alfil_setup_set_en_passant(setup, "e3"));
    OK(alfil_setup_piece_at(setup, "d4", &letter));
    CHECK(letter == 'p');
    OK(alfil_setup_board(setup, NULL, &board));
    OK(alfil_setup_free(setup));
    OK(alfil_board_push_text(board, "dxe3", NULL, NULL));
    OK(alfil_board_castling_rights(board, 0, &kingside, &queenside));
    CHECK(kingside && !queenside);
    OK(alfil_board_castling_rights(board, 1, &kingside, NULL));
    CHECK(!kingside);
    OK(alfil_board_attackers(board, "f1", 0, &texts));
    CHECK(texts->count == 2);
    OK(alfil_texts_free(texts));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_attackers(board, "f1", -1, &texts));
    CHECK(texts == NULL);
    OK(alfil_board_setup(board, &setup));
    OK(alfil_board_free(board));
    OK(alfil_setup_fen(setup, &text));
    TEXT_IS(text, "4k3/8/8/8/8/4p3/8/4K2R w K - 0 2");
    OK(alfil_setup_free(setup));
}

/* The macros of the header are the version of the library. */
static void test_version(void)
{
    char version[32];
    sprintf(version, "%d.%d.%d", ALFIL_VERSION_MAJOR, ALFIL_VERSION_MINOR, ALFIL_VERSION_PATCH);
    CHECK(strcmp(alfil_version(), ALFIL_VERSION) == 0);
    CHECK(strncmp(ALFIL_VERSION, version, strlen(version)) == 0);
}

int main(int argc, char **argv)
{
    test_version();
    test_setup();
    test_a_game_of_chess();
    test_errors();
    test_xiangqi_and_othello();
    test_many_boards(argc > 1 ? atol(argv[1]) : 1000000);
    CHECK(alfil_live_objects() == 0);
    return 0;
}
