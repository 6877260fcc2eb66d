/* The engine: reports, limits, and stopping from another thread. */

#include "check.h"

#include <pthread.h>

static int32_t count_reports(const alfil_report *report, void *user_data)
{
    int *count = user_data;
    CHECK(report->pv_count > 0 && report->pv[0] != ALFIL_NULL_MOVE && report->multipv == 1);
    CHECK(strlen(report->pv_text) >= 4);
    (*count)++;
    return 0;
}

static int32_t stop_at_depth_3(const alfil_report *report, void *user_data)
{
    (void)user_data;
    return report->depth >= 3;
}

static void test_analyse(alfil_engine *engine)
{
    alfil_limits limits = ALFIL_LIMITS_INIT;
    alfil_board *board;
    const alfil_report *report;
    alfil_move move;
    int32_t score;
    bool is_legal;
    int count = 0;
    char *text;
    OK(alfil_board_new("chess", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", NULL, &board));
    limits.depth = 6;
    OK(alfil_engine_analyse(engine, board, &limits, count_reports, &count, &move, &report));
    CHECK(report->mate == 1 && count >= 1);
    OK(alfil_report_free(report));
    OK(alfil_board_format_move(board, move, NULL, &text));
    TEXT_IS(text, "Ra8#");
    OK(alfil_engine_evaluate(engine, board, &score));
    CHECK(score > 200);
    OK(alfil_board_free(board));

    OK(alfil_board_new("xiangqi", NULL, NULL, &board));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_analyse(engine, board, NULL, NULL, NULL, NULL, NULL));
    OK(alfil_engine_analyse(engine, board, NULL, stop_at_depth_3, NULL, &move, NULL));
    OK(alfil_board_is_legal(board, move, &is_legal));
    CHECK(is_legal);
    limits.depth = 0;
    limits.nodes = 2000;
    limits.root_moves = "h2e2";
    OK(alfil_engine_analyse(engine, board, &limits, NULL, NULL, &move, NULL));
    OK(alfil_move_text("xiangqi", move, &text));
    TEXT_IS(text, "h2e2");
    limits.root_moves = "h2h2";
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_analyse(engine, board, &limits, NULL, NULL, NULL, NULL));
    limits.root_moves = NULL;
    limits.level = 11;
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_analyse(engine, board, &limits, NULL, NULL, NULL, NULL));
    OK(alfil_board_free(board));
}

/* What a callback has received, and when it ends the search. */
struct calls {
    int count;
    int last;
    uint32_t depth;
    uint64_t nodes;
    alfil_move move;
};

static int32_t end_after_calls(const alfil_report *report, void *user_data)
{
    struct calls *calls = user_data;
    calls->count++;
    calls->depth = report->depth;
    calls->nodes = report->nodes;
    calls->move = report->pv[0];
    return calls->count >= calls->last ? -7 : 0;
}

/* A callback that ends the search is not called again, and its last report is the answer; on one thread, a new engine
 * gives the same answer each time. */
static void test_end_by_callback(void)
{
    const char *games[] = {"xiangqi", "chess", "othello"};
    alfil_engine_options options = ALFIL_ENGINE_OPTIONS_INIT;
    int game, last, round;
    options.hash_mib = 1;
    for (game = 0; game < 3; game++) {
        for (last = 1; last <= 5; last += 2) {
            struct calls calls[3] = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
            alfil_move moves[3];
            for (round = 0; round < 3; round++) {
                const alfil_report *report;
                alfil_engine *engine;
                alfil_board *board;
                OK(alfil_engine_new(&options, &engine));
                OK(alfil_board_new(games[game], NULL, NULL, &board));
                calls[round].last = last;
                OK(alfil_engine_analyse(engine, board, NULL, end_after_calls, &calls[round], &moves[round], &report));
                CHECK(calls[round].count == last);
                CHECK(report->depth == calls[round].depth && report->nodes == calls[round].nodes);
                CHECK(report->pv[0] == calls[round].move);
                CHECK(calls[round].nodes == calls[0].nodes && moves[round] == moves[0]);
                OK(alfil_report_free(report));
                OK(alfil_board_free(board));
                OK(alfil_engine_free(engine));
            }
        }
    }
}

static int32_t count_bounds(const alfil_report *report, void *user_data)
{
    int *counts = user_data;
    counts[report->bound]++;
    return 0;
}

/* The solver of Othello reports lower bounds before the exact score. */
static void test_bounds(alfil_engine *engine)
{
    alfil_limits limits = ALFIL_LIMITS_INIT;
    alfil_board *board;
    const alfil_report *report;
    int counts[3] = {0};
    OK(alfil_board_new("othello", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", NULL,
                       &board));
    limits.depth = 20;
    OK(alfil_engine_analyse(engine, board, &limits, count_bounds, counts, NULL, &report));
    CHECK(counts[ALFIL_SCORE_BOUND_LOWER] > 0 && counts[ALFIL_SCORE_BOUND_UPPER] == 0);
    CHECK(report->bound == ALFIL_SCORE_BOUND_EXACT && report->score == 1800);
    OK(alfil_report_free(report));
    OK(alfil_board_free(board));
}

/* With rules, too, an engine keeps what it found: one thread with an empty table would search the same nodes again. */
static void test_kept_table(void)
{
    alfil_engine_options options = ALFIL_ENGINE_OPTIONS_INIT;
    alfil_limits limits = ALFIL_LIMITS_INIT;
    alfil_engine *engine;
    alfil_board *board;
    uint64_t nodes[2];
    int round;
    options.rules = "computer";
    OK(alfil_engine_new(&options, &engine));
    OK(alfil_board_new("xiangqi", NULL, NULL, &board));
    limits.depth = 8;
    for (round = 0; round < 2; round++) {
        const alfil_report *report;
        OK(alfil_engine_analyse(engine, board, &limits, NULL, NULL, NULL, &report));
        nodes[round] = report->nodes;
        OK(alfil_report_free(report));
    }
    CHECK(nodes[1] != nodes[0]);
    OK(alfil_board_free(board));
    OK(alfil_engine_free(engine));
}

static void test_analysis(alfil_engine *engine)
{
    alfil_limits limits = ALFIL_LIMITS_INIT;
    alfil_board *board;
    alfil_analysis *analysis;
    const alfil_report *report;
    alfil_move move;
    uint32_t lines = 0;
    OK(alfil_board_new("othello", NULL, NULL, &board));
    limits.depth = 5;
    limits.multipv = 3;
    OK(alfil_engine_start(engine, board, &limits, &analysis));
    /* The search has a copy of the board. */
    OK(alfil_board_free(board));
    for (;;) {
        OK(alfil_analysis_next(analysis, -1, &report));
        if (report == NULL) {
            break;
        }
        lines = report->multipv > lines ? report->multipv : lines;
        OK(alfil_report_free(report));
    }
    CHECK(lines == 3);
    OK(alfil_analysis_wait(analysis, &move));
    CHECK(move != ALFIL_NULL_MOVE);
    OK(alfil_analysis_free(analysis));
}

static void *stop_analysis(void *analysis)
{
    OK(alfil_analysis_stop(analysis));
    return NULL;
}

static void *stop_engine(void *engine)
{
    OK(alfil_engine_stop(engine));
    return NULL;
}

static void *wait_for_move(void *analysis)
{
    alfil_move move;
    alfil_status status;
    /* The other thread may read a report at this moment. */
    do {
        status = alfil_analysis_wait(analysis, &move);
    } while (status == ALFIL_STATUS_BUSY);
    OK(status);
    CHECK(move != ALFIL_NULL_MOVE);
    return NULL;
}

/* While a thread waits for the end of a search, another one cannot read its reports, but can stop it. */
static void test_busy(alfil_engine *engine)
{
    alfil_board *board;
    alfil_analysis *analysis;
    const alfil_report *report;
    alfil_status status;
    pthread_t thread;
    OK(alfil_board_new("chess", NULL, NULL, &board));
    OK(alfil_engine_start(engine, board, NULL, &analysis));
    CHECK(pthread_create(&thread, NULL, wait_for_move, analysis) == 0);
    do {
        status = alfil_analysis_next(analysis, 0, &report);
        OK(alfil_report_free(report));
        CHECK(status == ALFIL_STATUS_OK || status == ALFIL_STATUS_TIMEOUT || status == ALFIL_STATUS_BUSY);
    } while (status != ALFIL_STATUS_BUSY);
    CHECK(strstr(alfil_last_error(), "another thread uses this analysis") != NULL);
    OK(alfil_analysis_stop(analysis));
    CHECK(pthread_join(thread, NULL) == 0);
    OK(alfil_analysis_free(analysis));
    OK(alfil_board_free(board));
}

/* Searches without limits end when another thread stops them. */
static void test_stop_from_another_thread(alfil_engine *engine)
{
    alfil_board *board;
    alfil_analysis *analysis, *other;
    const alfil_report *report;
    alfil_move move;
    pthread_t thread;
    OK(alfil_board_new("xiangqi", NULL, NULL, &board));
    OK(alfil_engine_start(engine, board, NULL, &analysis));
    OK(alfil_analysis_next(analysis, -1, &report));
    CHECK(report != NULL);
    OK(alfil_report_free(report));
    CHECK(pthread_create(&thread, NULL, stop_analysis, analysis) == 0);
    OK(alfil_analysis_wait(analysis, &move));
    CHECK(move != ALFIL_NULL_MOVE);
    CHECK(pthread_join(thread, NULL) == 0);
    OK(alfil_analysis_free(analysis));

    OK(alfil_engine_start(engine, board, NULL, &analysis));
    OK(alfil_engine_start(engine, board, NULL, &other));
    CHECK(pthread_create(&thread, NULL, stop_engine, engine) == 0);
    OK(alfil_analysis_wait(analysis, &move));
    OK(alfil_analysis_wait(other, &move));
    CHECK(pthread_join(thread, NULL) == 0);
    OK(alfil_analysis_free(analysis));
    /* A running search is stopped when it is freed, also after its engine. */
    OK(alfil_engine_start(engine, board, NULL, &analysis));
    OK(alfil_engine_clear(engine));
    OK(alfil_analysis_free(other));
    OK(alfil_analysis_free(analysis));
    OK(alfil_board_free(board));
}

struct boards {
    alfil_board *own, *shared;
    const char *game;
    uint64_t nodes;
    int rounds;
};

/* Counts on a board of its own, and uses one that another thread uses too. */
static void *use_boards(void *argument)
{
    struct boards *boards = argument;
    int round;
    for (round = 0; round < boards->rounds; round++) {
        alfil_move moves[ALFIL_MAX_MOVES];
        size_t count, i;
        uint64_t nodes = 0;
        alfil_status status;
        bool is_check;
        OK(alfil_board_legal_moves(boards->own, moves, ALFIL_MAX_MOVES, &count));
        for (i = 0; i < count; i++) {
            size_t replies;
            OK(alfil_board_push(boards->own, moves[i]));
            OK(alfil_board_legal_moves(boards->own, NULL, 0, &replies));
            OK(alfil_board_pop(boards->own, NULL));
            nodes += replies;
        }
        boards->nodes = nodes;
        status = alfil_board_is_check(boards->shared, &is_check);
        CHECK(status == ALFIL_STATUS_OK || status == ALFIL_STATUS_BUSY);
        FAILS(ALFIL_STATUS_INVALID_MOVE, alfil_board_push_text(boards->own, boards->game, NULL, NULL));
        /* The message is that of this thread. */
        CHECK(strstr(alfil_last_error(), boards->game) != NULL);
    }
    return NULL;
}

static void test_threads(int rounds)
{
    struct boards first = {0}, second = {0};
    pthread_t threads[2];
    OK(alfil_board_new("chess", NULL, NULL, &first.shared));
    second.shared = first.shared;
    first.rounds = second.rounds = rounds;
    first.game = "#chess#";
    second.game = "#xiangqi#";
    OK(alfil_board_new("chess", NULL, NULL, &first.own));
    OK(alfil_board_new("xiangqi", NULL, NULL, &second.own));
    CHECK(pthread_create(&threads[0], NULL, use_boards, &first) == 0);
    CHECK(pthread_create(&threads[1], NULL, use_boards, &second) == 0);
    CHECK(pthread_join(threads[0], NULL) == 0 && pthread_join(threads[1], NULL) == 0);
    CHECK(first.nodes == 400 && second.nodes == 1920);
    OK(alfil_board_free(first.own));
    OK(alfil_board_free(second.own));
    OK(alfil_board_free(first.shared));
}

int main(int argc, char **argv)
{
    alfil_engine_options options = ALFIL_ENGINE_OPTIONS_INIT;
    alfil_engine *engine;
    options.hash_mib = 4;
    options.evaluation = "nonsense";
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_new(&options, &engine));
    options.network = (const uint8_t *)"nonsense";
    options.network_size = 8;
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_new(&options, &engine));
    CHECK(strstr(alfil_last_error(), "evaluation") != NULL);
    options.evaluation = NULL;
    options.network_size = 0;
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_new(&options, &engine));
    CHECK(strstr(alfil_last_error(), "network_size") != NULL);
    options.network = NULL;
    options.rules = "nonsense";
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_engine_new(&options, &engine));
    options.rules = "cxa2020";
    options.threads = 2;
    OK(alfil_engine_new(&options, &engine));
    test_analyse(engine);
    test_end_by_callback();
    test_bounds(engine);
    test_kept_table();
    test_analysis(engine);
    test_stop_from_another_thread(engine);
    test_busy(engine);
    test_threads(argc > 1 ? atoi(argv[1]) : 2000);
    OK(alfil_engine_free(engine));
    CHECK(alfil_live_objects() == 0);
    return 0;
}
