// A table of branches by hand: nvcc makes trees of comparisons of its switches.
extern "C" __global__ void branch_table(const int *code, int *out) {
    int i = threadIdx.x, r;
    asm volatile("{\n\t"
                 "targets: .branchtargets zero, one, two;\n\t"
                 "brx.idx %1, targets;\n"
                 "zero:\n\tadd.s32 %0, %2, 1;\n\tbra.uni done;\n"
                 "one:\n\tmul.lo.s32 %0, %2, 3;\n\tbra.uni done;\n"
                 "two:\n\tneg.s32 %0, %2;\n"
                 "done:\n\t}"
                 : "=r"(r) : "r"(code[i]), "r"(i));
    out[i] = r;
}
