/* Files of games: every format of crates/records/testdata is read, faults are reported with their place, and games are written. */

#include "facts.h"

/* Reads all games of a file and plays them to the end; returns the number of moves of the main lines. */
static size_t read_games(const char *path, const char *format)
{
    alfil_reader *reader;
    const alfil_game *game;
    size_t moves = 0;
    char *name;
    OK(alfil_reader_open(path, NULL, &reader));
    OK(alfil_reader_format(reader, &name));
    if (format == NULL) {
        CHECK(name == NULL);
    } else {
        TEXT_IS(name, format);
    }
    for (;;) {
        alfil_board *board;
        size_t end;
        OK(alfil_reader_next(reader, &game));
        if (game == NULL) {
            break;
        }
        if (game->error != NULL) {
            fprintf(stderr, "%s: %s\n", path, game->error);
            exit(1);
        }
        CHECK(game->node_count >= 1 + game->main_line_count);
        OK(alfil_game_end(game, &end));
        CHECK(game->main_line_count == 0 || game->main_line[game->main_line_count - 1] == end);
        OK(alfil_game_board(game, end, &board));
        OK(alfil_board_free(board));
        moves += game->main_line_count;
        OK(alfil_game_free(game));
    }
    OK(alfil_reader_free(reader));
    return moves;
}

static void test_formats(void)
{
    size_t moves = read_games("crates/records/testdata/xiangqi/roundtrip-wxf.pgn", "pgn");
    CHECK(moves > 10);
    CHECK(read_games("crates/records/testdata/xiangqi/roundtrip-iccs.pgn", "pgn") == moves);
    CHECK(read_games("crates/records/testdata/xiangqi/roundtrip-chinese.gb18030.pgn", "pgn") == moves);
    CHECK(read_games("crates/records/testdata/xiangqi/roundtrip-chinese-trad.big5.pgn", "pgn") == moves);
    CHECK(read_games("crates/records/testdata/xiangqi/roundtrip.dhtmlxq.txt", "ubb") == moves);
    CHECK(read_games("crates/records/testdata/othello/synthetic-games.ggf", "ggf") > 10);
    CHECK(read_games("crates/records/testdata/othello/synthetic-wth.wtb", "wthor") > 10);
}

static void test_tree_and_faults(void)
{
    static const char file[] = "[White \"A\"]\n\n1. e4 e5 2. f4 {[%clk 0:03:00] bold} (2. Nf3 $1) *\n\n"
                               "[White \"B\"]\n\n1. e4 e9 *\n";
    alfil_reader *reader;
    alfil_board *board;
    const alfil_game *game;
    char *fen;
    OK(alfil_reader_from_bytes((const uint8_t *)file, sizeof file - 1, NULL, &reader));
    OK(alfil_reader_next(reader, &game));
    CHECK(strcmp(game->game, "chess") == 0 && game->number == 1 && game->offset == 0);
    CHECK(game->tag_count == 1 && strcmp(game->tags[0]->value, "A") == 0 && game->start_fen == NULL);
    CHECK(game->error == NULL && game->node_count == 5 && game->main_line_count == 3);
    CHECK(strcmp(game->nodes[3]->move_text, "f2f4") == 0 && strcmp(game->nodes[3]->comment, "bold") == 0);
    CHECK(game->nodes[3]->clock_ms == 180000 && game->nodes[3]->elapsed_ms == -1);
    CHECK(game->nodes[4]->parent == 2 && game->nodes[4]->nag_count == 1 && game->nodes[4]->nags[0] == 1);
    OK(alfil_game_board(game, 4, &board));
    OK(alfil_game_free(game));
    OK(alfil_board_fen(board, &fen));
    TEXT_IS(fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    OK(alfil_board_free(board));
    OK(alfil_reader_next(reader, &game));
    CHECK(game->main_line_count == 1 && strncmp(game->error, "game 2, line 7, byte ", 21) == 0);
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_game_board(game, 9, &board));
    OK(alfil_game_free(game));
    OK(alfil_reader_next(reader, &game));
    CHECK(game == NULL);
    OK(alfil_reader_free(reader));
    FAILS(ALFIL_STATUS_IO, alfil_reader_open("crates/records/testdata/missing.pgn", NULL, &reader));
    CHECK(strstr(alfil_last_error(), "missing.pgn") != NULL);
}

static void test_writing(void)
{
    const char *tags[] = {"Red", "胡荣华", "Event", "test"};
    const char *formats[] = {"pgn", "xqf", "cbr", "ubb"};
    alfil_board *board, *again;
    alfil_reader *reader;
    const alfil_game *game, *read;
    size_t i, size;
    bool is_equal;
    uint8_t *bytes;
    OK(alfil_board_new("xiangqi", NULL, NULL, &board));
    OK(alfil_board_push_text(board, "炮二平五", NULL, NULL));
    OK(alfil_board_push_text(board, "马8进7", NULL, NULL));
    OK(alfil_game_from_board(board, tags, 2, ALFIL_GAME_RESULT_FIRST_WINS, &game));
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_game_write(game, "nonsense", NULL, NULL, 0, &size));
    for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        OK(alfil_game_write(game, formats[i], NULL, NULL, 0, &size));
        bytes = malloc(size);
        CHECK(bytes != NULL);
        OK(alfil_game_write(game, formats[i], NULL, bytes, size, &size));
        OK(alfil_reader_from_bytes(bytes, size, NULL, &reader));
        OK(alfil_reader_next(reader, &read));
        CHECK(read->error == NULL && read->main_line_count == 2);
        CHECK(read->result == ALFIL_GAME_RESULT_FIRST_WINS);
        OK(alfil_game_board(read, read->main_line[1], &again));
        OK(alfil_board_equal(board, again, &is_equal));
        CHECK(is_equal);
        OK(alfil_board_free(again));
        OK(alfil_game_free(read));
        OK(alfil_reader_free(reader));
        free(bytes);
    }
    FAILS(ALFIL_STATUS_INVALID_ARGUMENT, alfil_game_from_board(board, tags, 2, 7, &read));
    OK(alfil_game_free(game));
    OK(alfil_board_free(board));
}

int main(void)
{
    test_formats();
    test_tree_and_faults();
    test_writing();
    CHECK(alfil_live_objects() == 0);
    return 0;
}
