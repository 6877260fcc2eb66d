/* Nothing that a caller passes ends the process: NULL, wrong and freed pointers, random and very long texts.
 * Argument: the number of random texts. */

#include "check.h"

static alfil_status every_null(alfil_board *board, alfil_engine *engine)
{
    const struct alfil_game *game;
    alfil_status worst = ALFIL_STATUS_OK;
    size_t i;
    alfil_status found[] = {
        alfil_notations(NULL, NULL), alfil_rulesets(NULL, NULL), alfil_move_text(NULL, 0, NULL),
        alfil_move_parse(NULL, NULL, NULL), alfil_move_squares(NULL, 0, NULL, NULL, NULL),
        alfil_square_name(NULL, 0, NULL), alfil_square_index(NULL, NULL, NULL),
        alfil_board_new(NULL, NULL, NULL, NULL), alfil_board_new_chess960(0, NULL),
        alfil_board_clone(board, NULL), alfil_board_game(board, NULL), alfil_board_fen(board, NULL),
        alfil_board_start_fen(board, NULL), alfil_board_side_to_move(board, NULL),
        alfil_board_hash_key(board, NULL), alfil_board_occurrences(board, NULL),
        alfil_board_is_check(board, NULL), alfil_board_is_legal(board, 0, NULL),
        alfil_board_is_capture(board, 0, NULL), alfil_board_gives_check(board, 0, NULL),
        alfil_board_piece_at(board, NULL, NULL), alfil_board_pieces(board, NULL, 90, NULL),
        alfil_board_legal_moves(board, NULL, 256, NULL), alfil_board_played_moves(board, NULL, 1, NULL),
        alfil_board_push_text(board, NULL, NULL, NULL), alfil_board_parse_move(board, NULL, NULL, NULL),
        alfil_board_format_move(board, 0, NULL, NULL), alfil_board_format_line(board, NULL, 3, NULL, NULL),
        alfil_board_equal(board, NULL, NULL), alfil_board_outcome(board, NULL, NULL, NULL, NULL, NULL),
        alfil_board_refused_moves(board, NULL, NULL, 256, NULL), alfil_board_refusal(board, 0, NULL, NULL, NULL),
        alfil_board_judge(board, NULL, 0, NULL, NULL, NULL), alfil_board_text(board, NULL, NULL),
        alfil_board_svg(board, NULL), alfil_position_issues(NULL, NULL, NULL),
        alfil_board_perft(board, 1, 1, NULL), alfil_board_solve(board, 1, 0, NULL),
        alfil_engine_new(NULL, NULL), alfil_engine_evaluate(engine, board, NULL),
        alfil_engine_start(engine, board, NULL, NULL), alfil_analysis_next(NULL, 0, NULL),
        alfil_analysis_wait(NULL, NULL), alfil_reader_open(NULL, NULL, NULL),
        alfil_reader_from_bytes(NULL, 5, NULL, NULL), alfil_reader_format(NULL, NULL),
        alfil_reader_next(NULL, NULL), alfil_game_board(NULL, 0, NULL),
        alfil_game_from_board(board, NULL, 1, 0, &game), alfil_game_write(NULL, NULL, NULL, NULL, 0, NULL),
        alfil_game_end(NULL, NULL),
        alfil_board_attackers(board, NULL, 0, NULL), alfil_board_castling_rights(NULL, 0, NULL, NULL),
        alfil_setup_new(NULL, NULL, NULL), alfil_board_setup(board, NULL), alfil_setup_clear(NULL),
        alfil_setup_put(NULL, NULL, 'K'), alfil_setup_remove(NULL, NULL, NULL),
        alfil_setup_piece_at(NULL, NULL, NULL), alfil_setup_set_side_to_move(NULL, 0),
        alfil_setup_set_castling_rights(NULL, NULL), alfil_setup_set_en_passant(NULL, NULL),
        alfil_setup_fen(NULL, NULL), alfil_setup_issues(NULL, NULL), alfil_setup_board(NULL, NULL, NULL),
        alfil_board_push(NULL, 0), alfil_board_pop(NULL, NULL), alfil_engine_stop(NULL),
        alfil_engine_clear(NULL), alfil_analysis_stop(NULL),
        alfil_engine_analyse(NULL, board, NULL, NULL, NULL, NULL, NULL),
    };
    for (i = 0; i < sizeof found / sizeof found[0]; i++) {
        if (found[i] != ALFIL_STATUS_NULL_POINTER) {
            fprintf(stderr, "call %u: %s\n", (unsigned)i, alfil_status_name((int32_t)found[i]));
            worst = ALFIL_STATUS_INTERNAL;
        }
    }
    return worst;
}

static void test_wrong_handles(alfil_board *board, alfil_engine *engine)
{
    char *text;
    int local = 0;
    bool flag;
    alfil_board *freed;
    const alfil_texts *texts;
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_board_is_check((alfil_board *)engine, &flag));
    CHECK(strstr(alfil_last_error(), "engine") != NULL);
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_board_fen((alfil_board *)&local, &text));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_board_fen((alfil_board *)(size_t)1, &text));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_engine_free((alfil_engine *)board));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_text_free((char *)&local));
    OK(alfil_board_clone(board, &freed));
    OK(alfil_board_free(freed));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_board_free(freed));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_board_fen(freed, &text));
    CHECK(text == NULL);
    OK(alfil_board_fen(board, &text));
    OK(alfil_text_free(text));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_text_free(text));
    OK(alfil_notations("chess", &texts));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_text_free((char *)texts));
    OK(alfil_texts_free(texts));
    /* NULL is nothing to free. */
    OK(alfil_text_free(NULL));
    OK(alfil_texts_free(NULL));
    OK(alfil_board_free(NULL));
    OK(alfil_engine_free(NULL));
    OK(alfil_analysis_free(NULL));
    OK(alfil_report_free(NULL));
    OK(alfil_ruling_free(NULL));
    OK(alfil_solution_free(NULL));
    OK(alfil_reader_free(NULL));
    OK(alfil_game_free(NULL));
    OK(alfil_setup_free(NULL));
    FAILS(ALFIL_STATUS_INVALID_HANDLE, alfil_setup_clear((alfil_setup *)board));
}

static const alfil_engine_options no_options = ALFIL_ENGINE_OPTIONS_INIT;
static const alfil_limits no_limits = ALFIL_LIMITS_INIT;

/* Passes a text wherever one is expected. */
static void pass_text(alfil_board *board, const char *text)
{
    const char *games[] = {"xiangqi", "chess", "othello"};
    alfil_board *made, *copy;
    alfil_setup *setup;
    alfil_engine *engine;
    alfil_engine_options options;
    alfil_limits limits;
    alfil_move move;
    alfil_reader *reader;
    const alfil_texts *texts;
    const alfil_ruling *ruling;
    const alfil_game *game;
    alfil_game_result result;
    alfil_analysis *analysis;
    char letter, *out;
    size_t i, index;
    for (i = 0; i < 3; i++) {
        if (alfil_setup_new(games[i], i == 0 ? text : NULL, &setup) == ALFIL_STATUS_OK) {
            CHECK(alfil_setup_put(setup, text, text[0]) != ALFIL_STATUS_INTERNAL);
            CHECK(alfil_setup_put(setup, "e4", text[0]) != ALFIL_STATUS_INTERNAL);
            CHECK(alfil_setup_remove(setup, text, NULL) != ALFIL_STATUS_INTERNAL);
            CHECK(alfil_setup_set_castling_rights(setup, text) != ALFIL_STATUS_INTERNAL);
            CHECK(alfil_setup_set_en_passant(setup, text) != ALFIL_STATUS_INTERNAL);
            CHECK(alfil_setup_board(setup, text, &made) != ALFIL_STATUS_OK || alfil_board_free(made) == ALFIL_STATUS_OK);
            OK(alfil_setup_free(setup));
        }
        if (alfil_board_new(games[i], text, "all", &made) == ALFIL_STATUS_OK) {
            alfil_move moves[ALFIL_MAX_MOVES];
            alfil_status status = alfil_board_legal_moves(made, moves, ALFIL_MAX_MOVES, &index);
            CHECK(status == ALFIL_STATUS_OK);
            OK(alfil_board_free(made));
        }
        if (alfil_position_issues(games[i], text, &texts) == ALFIL_STATUS_OK) {
            OK(alfil_texts_free(texts));
        }
        CHECK(alfil_move_parse(games[i], text, &move) != ALFIL_STATUS_INTERNAL);
        CHECK(alfil_square_index(games[i], text, &index) != ALFIL_STATUS_INTERNAL);
        if (alfil_reader_from_bytes((const uint8_t *)text, strlen(text), games[i], &reader) == ALFIL_STATUS_OK) {
            int count;
            for (count = 0; count < 5; count++) {
                if (alfil_reader_next(reader, &game) != ALFIL_STATUS_OK || game == NULL) {
                    break;
                }
                if (alfil_game_board(game, game->node_count - 1, &made) == ALFIL_STATUS_OK) {
                    OK(alfil_board_free(made));
                }
                OK(alfil_game_free(game));
            }
            OK(alfil_reader_free(reader));
        }
    }
    CHECK(alfil_board_new(text, text, text, &made) != ALFIL_STATUS_OK);
    CHECK(alfil_notations(text, &texts) == ALFIL_STATUS_INVALID_ARGUMENT || texts == NULL);
    CHECK(alfil_board_push_text(board, text, text, NULL) != ALFIL_STATUS_OK);
    CHECK(alfil_board_parse_move(board, text, NULL, &move) != ALFIL_STATUS_INTERNAL);
    CHECK(alfil_board_format_move(board, 1, text, &out) != ALFIL_STATUS_OK);
    CHECK(alfil_board_piece_at(board, text, &letter) != ALFIL_STATUS_INTERNAL);
    CHECK(alfil_board_judge(board, text, 0, text, text, &ruling) != ALFIL_STATUS_OK);
    CHECK(alfil_board_outcome(board, text, &result, NULL, NULL, NULL) != ALFIL_STATUS_OK);
    CHECK(alfil_board_text(board, text, &out) != ALFIL_STATUS_OK);
    CHECK(alfil_reader_open(text, NULL, &reader) != ALFIL_STATUS_OK);
    options = no_options;
    options.rules = text;
    options.network = (const uint8_t *)text;
    options.network_size = strlen(text);
    CHECK(alfil_engine_new(&options, &engine) != ALFIL_STATUS_OK && engine == NULL);
    OK(alfil_board_clone(board, &copy));
    options = no_options;
    OK(alfil_engine_new(&options, &engine));
    limits = no_limits;
    limits.depth = 1;
    limits.root_moves = text;
    if (alfil_engine_start(engine, copy, &limits, &analysis) == ALFIL_STATUS_OK) {
        OK(alfil_analysis_free(analysis));
    }
    OK(alfil_engine_free(engine));
    OK(alfil_board_free(copy));
}

static void test_random_texts(alfil_board *board, long count)
{
    const char *letters[] = {"/", "8", "K", "k", "R", "P", "9", " ", "w", "-", "1", "0", "炮", "=", "\xff", "\n", "[", "]",
                             "{", "(", "e4", "\"", "a1", "X", "O", "\t", "\x01", ".", "Q", "*"};
    unsigned long random = 12345;
    long i;
    for (i = 0; i < count; i++) {
        char text[200] = "";
        size_t length, at;
        random = random * 6364136223846793005ul + 1442695040888963407ul;
        length = 1 + (random >> 33) % 40;
        for (at = 0; at < length; at++) {
            random = random * 6364136223846793005ul + 1442695040888963407ul;
            strcat(text, letters[(random >> 33) % (sizeof letters / sizeof letters[0])]);
        }
        pass_text(board, text);
    }
}

static void test_long_texts(alfil_board *board, size_t length)
{
    const char fill[] = "K1/x ";
    size_t i;
    for (i = 0; fill[i] != '\0'; i++) {
        char *text = malloc(length + 1);
        CHECK(text != NULL);
        memset(text, fill[i], length);
        text[length] = '\0';
        pass_text(board, text);
        free(text);
    }
    {
        /* A character of three bytes, cut at the end of the text. */
        const char hanzi[] = "\xe7\x82\xae";
        char *text = malloc(length + 1);
        CHECK(text != NULL);
        for (i = 0; i < length; i++)
            text[i] = hanzi[i % 3];
        text[length] = '\0';
        pass_text(board, text);
        text[length - length % 3] = '\0';
        pass_text(board, text);
        free(text);
    }
}

/* More pieces than any game has, and every number as a move. */
static void test_wild_boards_and_numbers(alfil_board *board)
{
    alfil_move moves[ALFIL_MAX_MOVES], last = 0;
    alfil_board *made;
    size_t count;
    uint64_t nodes;
    uint32_t number;
    const alfil_ruling *ruling;
    char *text;
    alfil_status status = alfil_board_new("chess", "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/7k/8/K7 w - - 0 1", "all", &made);
    CHECK(status != ALFIL_STATUS_INTERNAL);
    if (status == ALFIL_STATUS_OK) {
        CHECK(alfil_board_legal_moves(made, moves, ALFIL_MAX_MOVES, &count) != ALFIL_STATUS_INTERNAL);
        OK(alfil_board_free(made));
    }
    for (number = 0; number < 70000; number++) {
        bool is_legal;
        OK(alfil_board_is_legal(board, number, &is_legal));
        CHECK(alfil_move_text("othello", number, &text) != ALFIL_STATUS_INTERNAL);
        OK(alfil_text_free(text));
        last += is_legal;
    }
    OK(alfil_board_legal_moves(board, moves, 1, &count));
    CHECK(last == count);
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_perft(board, 4000000000u, 1, &nodes));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_perft(board, 1, 4000000000u, &nodes));
    text = (char *)1;
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_board_format_line(board, moves, (size_t)-1, NULL, &text));
    CHECK(text == NULL);
    OK(alfil_board_judge(board, NULL, (size_t)-1, NULL, NULL, &ruling));
    CHECK(ruling->result == ALFIL_GAME_RESULT_UNKNOWN);
    OK(alfil_ruling_free(ruling));
}

/* A structure says how large it is: a program of an older version has fewer fields, one of a newer version more. */
static void test_sizes(alfil_board *board, alfil_engine *engine)
{
    struct {
        alfil_limits limits;
        uint64_t later_field;
    } newer = {ALFIL_LIMITS_INIT, 0};
    const size_t wrong[] = {0, 1, sizeof(size_t) - 1, 1000000, (size_t)-1};
    alfil_engine_options options = ALFIL_ENGINE_OPTIONS_INIT;
    alfil_limits limits = ALFIL_LIMITS_INIT;
    alfil_engine *made;
    const alfil_report *report;
    size_t i;
    limits.depth = 3;
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        limits.size = options.size = wrong[i];
        FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_analyse(engine, board, &limits, NULL, NULL, NULL, NULL));
        CHECK(strstr(alfil_last_error(), "ALFIL_LIMITS_INIT") != NULL);
        FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_new(&options, &made));
        CHECK(strstr(alfil_last_error(), "ALFIL_ENGINE_OPTIONS_INIT") != NULL);
    }
    /* An older program ends its structure after `depth`; what follows there is not read. */
    limits.size = offsetof(alfil_limits, mate);
    limits.level = 1000;
    limits.root_moves = "nonsense";
    OK(alfil_engine_analyse(engine, board, &limits, NULL, NULL, NULL, &report));
    CHECK(report->depth == 3);
    OK(alfil_report_free(report));
    newer.limits.size = sizeof newer;
    newer.limits.depth = 3;
    OK(alfil_engine_analyse(engine, board, &newer.limits, NULL, NULL, NULL, NULL));
    newer.later_field = 1;
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_analyse(engine, board, &newer.limits, NULL, NULL, NULL, NULL));
    CHECK(strstr(alfil_last_error(), alfil_version()) != NULL);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1000;
    alfil_board *board;
    alfil_engine *engine;
    OK(alfil_board_new("xiangqi", NULL, NULL, &board));
    OK(alfil_engine_new(NULL, &engine));
    CHECK(every_null(board, engine) == ALFIL_STATUS_OK);
    test_wrong_handles(board, engine);
    test_random_texts(board, count);
    test_long_texts(board, count >= 1000 ? 1000000 : 20000);
    test_wild_boards_and_numbers(board);
    test_sizes(board, engine);
    OK(alfil_board_free(board));
    OK(alfil_engine_free(engine));
    CHECK(alfil_live_objects() == 0);
    return 0;
}
