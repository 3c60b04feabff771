#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Matrix products of PyTorch (cuBLAS on CUDA) and of bench_op at the same shapes, as JSON. Run it with a Python that
has PyTorch. Both do one product over and over without waiting, on CUDA in a graph, and the fastest round counts.

    bench/matmul_peer.py --shapes 800x2048x512 --device cuda --json matmul.json
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS, ROUND_SECONDS = 5, 0.05
LINE = re.compile(r"\s*(\d+x\d+x\d+)\s+(\w+)\s+(\w+)\s+(\w+) *(\*?) +[\d.]+ us\s+([\d.]+) GFLOP/s")


def ours(program, device, shape, dtype):
    """(GFLOP/s, kernel) of the kernel that the library takes: cooperative matrices where there are any."""
    result = subprocess.run([program, device, shape], stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for match in map(LINE.match, result.stdout.splitlines()):
        if match and match[1] == shape and match[2] == match[3] == dtype:
            found[match[4] if match[4] == "coopmat" else match[5] or match[4]] = float(match[6]), match[4]
    best = found.get("coopmat") or found.get("*")
    if best is None:
        sys.exit(f"bench_op prints no product of {dtype} for {shape}:\n{result.stdout}")
    return best


def torchs(shape, device, dtype):
    """GFLOP/s of torch.nn.functional.linear."""
    import torch
    rows, n, k = map(int, shape.split("x"))
    x = torch.randn(rows, k, device=device, dtype=getattr(torch, dtype))
    w = torch.randn(n, k, device=device, dtype=getattr(torch, dtype))
    times = 100 if device == "cuda" else 1

    def products():
        for _ in range(times):
            torch.nn.functional.linear(x, w)

    replay, settle = products, lambda: None
    if device == "cuda":
        settle = torch.cuda.synchronize
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            products()
        settle()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            products()
        replay = graph.replay

    def round_seconds(replays):
        settle()
        start = time.perf_counter()
        for _ in range(replays):
            replay()
        settle()
        return (time.perf_counter() - start) / replays / times

    with torch.inference_mode():
        round_seconds(1)
        replays = min(max(int(ROUND_SECONDS / (round_seconds(1) * times)), 1), 1000)
        best = min(round_seconds(replays) for _ in range(ROUNDS))
    return 2e-9 * rows * n * k / best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", nargs="+", required=True, help="ROWSxNxK")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="of PyTorch")
    parser.add_argument("--type", choices=("float16", "float32"), default="float16")
    parser.add_argument("--bench", default=HERE.parent / "build/release/bench/bench_op")
    parser.add_argument("--bench-device", default="", help="of bench_op: index, UUID or part of the name")
    parser.add_argument("--threads", type=int, default=2, help="of PyTorch on the CPU")
    parser.add_argument("--json", type=pathlib.Path, help="file for the results")
    args = parser.parse_args()
    import torch
    torch.set_num_threads(args.threads)
    if args.device == "cuda" and not torch.cuda.is_available():
        sys.exit("this PyTorch sees no CUDA device")
    results = []
    for shape in args.shapes:
        mine, kernel = ours(args.bench, args.bench_device, shape, args.type)
        theirs = torchs(shape, args.device, args.type)
        results.append({"shape": shape, "type": args.type, "kernel": kernel, "gflops": mine,
                        "peer": f"PyTorch {torch.__version__}, {args.device}", "peer_gflops": theirs})
        print(f"{shape} {args.type}: {kernel} {mine:.0f} GFLOP/s, PyTorch on {args.device} {theirs:.0f}: "
              f"{100 * mine / theirs:.0f} %")
    if args.json:
        args.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
