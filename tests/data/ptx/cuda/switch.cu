// A switch dense enough for a table of branches.
extern "C" __global__ void interpret(const int *code, int *out, int n) {
    int a = 0, b = threadIdx.x;
    for (int i = 0; i < n; i++) {
        switch (code[i]) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= b; break;
        case 3: a ^= b; break;
        case 4: a = a << (b & 31); break;
        case 5: b = out[a & 255]; break;
        case 6: out[a & 255] = b; break;
        case 7: { int c = a; a = b; b = c; break; }
        case 8: a = -a; break;
        case 9: a = a < b ? a : b; break;
        case 10: b = __popc(a); break;
        case 11: a = out[b & 255] * 3; break;
        case 12: out[b & 255] += a; break;
        case 13: b = __clz(a) + out[3]; break;
        case 14: atomicAdd(out, a); break;
        case 15: a = __brev(b); __syncwarp(); break;
        case 16: a |= b; out[7] = a; break;
        case 17: i += b & 3; break;
        case 18: __nanosleep(b); break;
        case 19: if (a < b) return; break;
        default: return;
        }
    }
    out[threadIdx.x] = a;
}
