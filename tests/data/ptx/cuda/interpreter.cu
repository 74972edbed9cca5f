// A machine with a stack in local memory: each thread runs a program of its own, and they part ways at every instruction.
extern "C" __global__ void interpreter(const unsigned char *programs, const int *x, int *y, int length, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, stack[8], top = 0, steps = 0;
    if (i >= n) return;
    const unsigned char *program = programs + i % 7 * length;
    stack[0] = x[i];
    for (int at = 0; at < length && steps < 200; steps++) {
        unsigned code = program[at++];
        switch (code % 11) {
        case 0: stack[(top + 1) & 7] = stack[top], top = (top + 1) & 7; break;
        case 1: if (top > 0) top--, stack[top] += stack[top + 1]; break;
        case 2: if (top > 0) top--, stack[top] *= stack[top + 1]; break;
        case 3: stack[top] = -stack[top] ^ code; break;
        case 4: if (stack[top] & 1) at++; break;
        case 5: stack[top] = (unsigned)stack[top] >> 1; if (stack[top] > 1000) at = 0; break;
        case 6: if (top > 1) { int v = stack[top]; stack[top] = stack[top - 1], stack[top - 1] = v; } break;
        case 7: stack[top] = stack[top] / 3 + i; break;
        case 8: if (stack[top] % 5 == 2) { y[i] = stack[top] + steps; return; } break;
        case 9: stack[top] = __popc(stack[top]) + code * 256; break;
        default: stack[top] += code;
        }
    }
    y[i] = stack[top] * 1000 + steps;
}
