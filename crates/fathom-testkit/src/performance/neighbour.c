/* neighbour ON_MS OFF_MS PHASE_MS LIFE_S: works and sleeps in turn, beginning PHASE_MS into the
   turn. It ends by itself, so that none outlives a study that was killed. */
#include <stdlib.h>
#include <time.h>

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    long long on = atoll(argv[1]) * 1000000, off = atoll(argv[2]) * 1000000;
    long long began = now_ns() - atoll(argv[3]) * 1000000;
    long long end = now_ns() + atoll(argv[4]) * 1000000000LL;
    if (on <= 0 || off <= 0)
        return 2;
    for (;;) {
        long long now = now_ns();
        if (now >= end)
            return 0;
        long long into = (now - began) % (on + off);
        if (into >= on) {
            long long rest = on + off - into;
            struct timespec sleep = {rest / 1000000000LL, rest % 1000000000LL};
            nanosleep(&sleep, NULL);
        }
    }
}
