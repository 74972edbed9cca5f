// Functions that are called, by value and by structure, through a table of pointers, and that call themselves, as deep as a thread's
// data says.
struct Pair { float a; double b; int c[3]; };
__device__ __noinline__ Pair make(float a, double b, const int *c) { return Pair{a * 2, b + a, {c[0], c[1] - c[0], c[2]}}; }
__device__ __noinline__ int weigh(Pair p, int k) { return (int)(p.a + p.b) + p.c[k % 3]; }
__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1)); }
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ __noinline__ int hanoi(int n, int from, int to) { return n == 0 ? 0 : hanoi(n - 1, from, 3 - from - to) * 3 + from + hanoi(n - 1, 3 - from - to, to); }
typedef int (*Operation)(int, int);
__device__ Operation operations[] = {plus, times, ackermann};
extern "C" __global__ void recursion(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = x[i], c[3] = {v, i, v - i};
    y[i] = operations[i % 3](v % 3, v % 4) + hanoi(v % 6, 0, 2) * 100 + weigh(make(v, i, c), v);
}
