/* Leaks one object of the kind that the argument names; the test checks that valgrind finds it. */

#include "check.h"

int main(int argc, char **argv)
{
    alfil_board *board;
    char *text;
    CHECK(argc == 2);
    OK(alfil_board_new("chess", NULL, NULL, &board));
    if (strcmp(argv[1], "board") == 0) {
        board = NULL;
    } else {
        OK(alfil_board_fen(board, &text));
        OK(alfil_board_free(board));
        text = NULL;
    }
    CHECK(alfil_live_objects() == 1);
    return 0;
}
