/* The facts of the crates of the games through the C library: perft, Chess960, notations and rulings.
 * Arguments: the largest perft count, and the number of rulings of each file (0 for all). */

#include "facts.h"

static void test_perft(const char *game, unsigned long long max_nodes)
{
    char path[64], fen[256], number[32], convention[32];
    char *text, *rest, *line;
    int checked = 0;
    snprintf(path, sizeof path, "crates/%s/testdata/perft.jsonl", game);
    text = read_file(path, NULL);
    rest = text;
    while ((line = next_line(&rest)) != NULL) {
        alfil_board *board;
        uint64_t nodes, expected;
        uint32_t depth;
        if (!field(line, "fen", fen, sizeof fen) && !field(line, "board", fen, sizeof fen)) {
            continue;
        }
        CHECK(field(line, "nodes", number, sizeof number));
        expected = strtoull(number, NULL, 10);
        if (expected > max_nodes || strstr(line, "\"verified\": false") != NULL) {
            continue;
        }
        if (field(line, "convention", convention, sizeof convention) && strcmp(convention, "ply") != 0) {
            continue;
        }
        CHECK(field(line, "depth", number, sizeof number));
        depth = (uint32_t)strtoul(number, NULL, 10);
        OK(alfil_board_new(game, fen, NULL, &board));
        OK(alfil_board_perft(board, depth, 2, &nodes));
        if (nodes != expected) {
            fprintf(stderr, "%s, depth %u: %llu nodes\n", fen, depth, (unsigned long long)nodes);
            exit(1);
        }
        OK(alfil_board_free(board));
        checked++;
    }
    CHECK(checked >= 4);
    printf("perft of %s: %d counts\n", game, checked);
    free(text);
}

/* Counts paths by pushing and popping moves; every text of a move reads as the same move. */
static uint64_t walk(alfil_board *board, const char *notation, int depth)
{
    alfil_move moves[ALFIL_MAX_MOVES], again;
    size_t count, i;
    uint64_t nodes = 0;
    OK(alfil_board_legal_moves(board, moves, ALFIL_MAX_MOVES, &count));
    CHECK(count <= ALFIL_MAX_MOVES);
    for (i = 0; i < count; i++) {
        char *text;
        OK(alfil_board_format_move(board, moves[i], notation, &text));
        OK(alfil_board_parse_move(board, text, notation, &again));
        CHECK(again == moves[i]);
        OK(alfil_text_free(text));
        OK(alfil_board_push(board, moves[i]));
        nodes += depth > 1 ? walk(board, notation, depth - 1) : 1;
        OK(alfil_board_pop(board, &again));
        CHECK(again == moves[i]);
    }
    return nodes;
}

static void test_walks(void)
{
    const char *games[] = {"xiangqi", "chess", "othello"};
    const uint64_t counts[] = {1920, 400, 12};
    size_t i, j;
    for (i = 0; i < 3; i++) {
        const alfil_texts *notations;
        alfil_board *board;
        OK(alfil_notations(games[i], &notations));
        OK(alfil_board_new(games[i], NULL, NULL, &board));
        CHECK(notations->count >= 1);
        for (j = 0; j < notations->count; j++) {
            CHECK(walk(board, notations->items[j], 2) == counts[i]);
        }
        OK(alfil_texts_free(notations));
        OK(alfil_board_free(board));
    }
}

static void test_chess960(uint32_t step)
{
    uint32_t number;
    for (number = 0; number < 960; number += step) {
        alfil_board *board, *again;
        uint64_t nodes, same;
        bool is_equal;
        char *fen;
        OK(alfil_board_new_chess960(number, &board));
        OK(alfil_board_fen(board, &fen));
        OK(alfil_board_new("chess", fen, NULL, &again));
        OK(alfil_board_equal(board, again, &is_equal));
        CHECK(is_equal);
        OK(alfil_board_perft(board, 2, 1, &nodes));
        same = walk(again, "uci960", 2);
        CHECK(nodes == same);
        CHECK((number == 518) == (strcmp(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == 0));
        OK(alfil_text_free(fen));
        OK(alfil_board_free(board));
        OK(alfil_board_free(again));
    }
}

/* SAN of every legal move of the positions of a file reads as the same move. */
static void test_san(int limit)
{
    char fen[256], *text = read_file("crates/chess/testdata/perft.jsonl", NULL), *rest = text, *line;
    int checked = 0;
    while ((line = next_line(&rest)) != NULL && checked < limit) {
        alfil_board *board;
        if (!field(line, "fen", fen, sizeof fen)) {
            continue;
        }
        OK(alfil_board_new("chess", fen, NULL, &board));
        walk(board, "san", 1);
        OK(alfil_board_free(board));
        checked++;
    }
    CHECK(checked >= 4);
    free(text);
}

static void test_notations_of_xiangqi(void)
{
    char *file = read_file("crates/xiangqi/testdata/notation.tsv", NULL), *rest = file, *line, *text;
    const char *names[] = {"ucci", "uci10", "iccs", "chinese", "chinese-traditional", "wxf", "wxf", "wxf"};
    int checked = 0;
    while ((line = next_line(&rest)) != NULL) {
        char *columns[10];
        size_t i;
        alfil_board *board;
        alfil_move move, again;
        if (*line == '#' || *line == '\0') {
            continue;
        }
        for (i = 0; i < 10; i++) {
            char *tab = line == NULL ? NULL : strchr(line, '\t');
            columns[i] = line == NULL ? (char *)"" : line;
            if (tab != NULL) {
                *tab = '\0';
            }
            line = tab == NULL ? NULL : tab + 1;
        }
        OK(alfil_board_new("xiangqi", columns[1], "all", &board));
        OK(alfil_move_parse("xiangqi", columns[2], &move));
        for (i = 0; i < 8; i++) {
            if (columns[2 + i][0] != '\0') {
                OK(alfil_board_parse_move(board, columns[2 + i], names[i], &again));
                CHECK(again == move);
            }
        }
        OK(alfil_board_format_move(board, move, "chinese", &text));
        TEXT_IS(text, columns[5]);
        OK(alfil_board_format_move(board, move, "ucci", &text));
        TEXT_IS(text, columns[2]);
        OK(alfil_board_free(board));
        checked++;
    }
    CHECK(checked > 20);
    free(file);
}

/* Replaces a verdict of the book by that of Alfil where they differ on purpose; the Rust test has the reasons. */
static void apply_difference(char *differences, const char *id, char *verdict, size_t size)
{
    char key[64], *start = strstr(differences, "const VERDICT_DIFFERENCES"), *end, *found;
    CHECK(start != NULL && (end = strstr(start, "];")) != NULL);
    snprintf(key, sizeof key, "(\"%s\", \"", id);
    found = strstr(start, key);
    if (found != NULL && found < end) {
        found += strlen(key);
        snprintf(verdict, size, "%.*s", (int)strcspn(found, "\""), found);
    }
}

static void test_rulings(const char *path, const char *rules, int limit)
{
    char *differences = read_file("crates/xiangqi/tests/figures.rs", NULL);
    char *text = read_file(path, NULL), *rest = text, *line;
    int checked = 0;
    while ((line = next_line(&rest)) != NULL && (limit == 0 || checked < limit)) {
        char id[64], fen[256], moves[4096], verdict[64], *move;
        const alfil_ruling *ruling;
        alfil_board *board;
        if (!field(line, rules, verdict, sizeof verdict)) {
            continue;
        }
        CHECK(field(line, "id", id, sizeof id) && field(line, "fen", fen, sizeof fen));
        CHECK(field(line, "moves", moves, sizeof moves));
        OK(alfil_board_new("xiangqi", fen, "all", &board));
        for (move = strtok(moves, " "); move != NULL; move = strtok(NULL, " ")) {
            OK(alfil_board_push_text(board, move, "ucci", NULL));
        }
        OK(alfil_board_judge(board, rules, 0, NULL, NULL, &ruling));
        if (strcmp(rules, "cxa2020") == 0) {
            apply_difference(differences, id, verdict, sizeof verdict);
        }
        if (strcmp(ruling->verdict, verdict) != 0) {
            fprintf(stderr, "%s under %s: %s instead of %s\n", id, rules, ruling->verdict, verdict);
            exit(1);
        }
        CHECK(strcmp(ruling->rules, rules) == 0 && ruling->explanation.count > 0);
        CHECK(ruling->ply_count > 0 && ruling->first_ply > 0 && ruling->plies[0]->move_class[0] != '\0');
        for (size_t ply = 0; ply < ruling->ply_count; ply++) {
            const char *attacks = ruling->plies[ply]->attacks;
            CHECK(attacks[0] == '\0' || (attacks[2] == ' ' && strlen(attacks) >= 5));
        }
        OK(alfil_ruling_free(ruling));
        OK(alfil_board_free(board));
        checked++;
    }
    CHECK(checked >= 10 || (limit != 0 && checked == limit));
    printf("rulings of %s under %s: %d\n", path, rules, checked);
    free(text);
    free(differences);
}

int main(int argc, char **argv)
{
    unsigned long long max_nodes = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
    int limit = argc > 2 ? atoi(argv[2]) : 0;
    test_perft("xiangqi", max_nodes);
    test_perft("chess", max_nodes);
    test_perft("othello", max_nodes);
    test_walks();
    test_chess960(limit == 0 ? 7 : 240);
    test_san(limit == 0 ? 100000 : 4);
    test_notations_of_xiangqi();
    test_rulings("crates/xiangqi/testdata/repetitions.jsonl", "axf", limit);
    test_rulings("crates/xiangqi/testdata/loops.jsonl", "computer", limit);
    test_rulings("crates/xiangqi/testdata/loops.jsonl", "axf", limit);
    test_rulings("crates/xiangqi/testdata/figures.jsonl", "cxa2020", limit);
    CHECK(alfil_live_objects() == 0);
    return 0;
}
