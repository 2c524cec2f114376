/* bare_loop ROUNDS PROGRAM [ARGUMENT...] [-- PROGRAM [ARGUMENT...]]...
   Runs the programs in turn by posix_spawn and wait4 and nothing else. Prints a line for each
   round: the nanoseconds of each program, from before the spawn to after the wait. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    long rounds = atol(argv[1]);
    int programs = 1;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            programs++;
        }
    }
    long long *taken = malloc(sizeof *taken * (size_t)(rounds > 0 ? rounds : 1) * (size_t)programs);
    if (!taken)
        return 1;
    long long *next = taken;
    for (long round = 0; round < rounds; round++) {
        char **program = argv + 2;
        for (int i = 0; i < programs; i++) {
            pid_t pid;
            int status;
            long long began = now_ns();
            int error = posix_spawn(&pid, program[0], NULL, NULL, program, environ);
            if (error) {
                fprintf(stderr, "%s: %s\n", program[0], strerror(error));
                return 1;
            }
            pid_t ended = wait4(pid, &status, 0, NULL);
            *next++ = now_ns() - began;
            if (ended != pid || status != 0) {
                fprintf(stderr, "%s failed\n", program[0]);
                return 1;
            }
            while (*program)
                program++;
            program++;
        }
    }
    /* Printed at the end: a write between two runs is a disturbance. */
    next = taken;
    for (long round = 0; round < rounds; round++)
        for (int i = 0; i < programs; i++)
            printf("%lld%c", *next++, i + 1 < programs ? ' ' : '\n');
    return 0;
}
