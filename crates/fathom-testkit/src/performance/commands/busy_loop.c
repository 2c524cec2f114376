/* busy_loop STEPS: dependent steps, so that twice as many take twice as long. */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned long long steps = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t state = 88172645463325252u;
    while (steps--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    /* Never true; without it the compiler would leave the loop out. */
    return state == 0;
}
