// The header in C++: handles in smart pointers.

#include <cstdio>
#include <cstring>
#include <memory>

#include <alfil.h>

namespace {

struct Free {
    void operator()(alfil_board *board) const { alfil_board_free(board); }
    void operator()(alfil_engine *engine) const { alfil_engine_free(engine); }
};

bool passes()
{
    alfil_board *made = nullptr;
    if (alfil_board_new("othello", nullptr, nullptr, &made) != ALFIL_STATUS_OK) {
        return false;
    }
    const std::unique_ptr<alfil_board, Free> board(made);
    alfil_engine *engine_made = nullptr;
    if (alfil_engine_new(nullptr, &engine_made) != ALFIL_STATUS_OK) {
        return false;
    }
    const std::unique_ptr<alfil_engine, Free> engine(engine_made);
    alfil_limits limits = ALFIL_LIMITS_INIT;
    limits.depth = 3;
    alfil_move move = ALFIL_NULL_MOVE;
    const auto status = alfil_engine_analyse(engine.get(), board.get(), &limits, nullptr, nullptr, &move, nullptr);
    return status == ALFIL_STATUS_OK && alfil_board_push(board.get(), move) == ALFIL_STATUS_OK;
}

} // namespace

int main()
{
    if (!passes() || alfil_live_objects() != 0) {
        std::fprintf(stderr, "cplusplus.cpp failed: %s\n", alfil_last_error());
        return 1;
    }
    return 0;
}
