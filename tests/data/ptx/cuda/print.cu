#include <cstdio>
#include <cassert>
// Calls into the run-time system.
extern "C" __global__ void print(const float *x, int n) {
    assert(n > 0);
    if (threadIdx.x < n) printf("thread %d has %f and %s\n", threadIdx.x, x[threadIdx.x], "a tab\t, quotes \" and \\");
    if (x[0] < 0) __trap();
}
