"""Minimum cuts by OR-Tools: reads a network and questions, writes an answer for each.

ortools.py NETWORK QUESTIONS TIMES. NETWORK: little-endian u32 nodes, u32 arcs, then tails (u32), heads (u32), capacities (i64).
QUESTIONS: JSON, a list of {"seeds": [...], "price": whole number}. Prints JSON: version, and for each question the maximum flow,
the nodes that cannot reach the sink, and the mean CPU seconds of solving it so many times (the arcs being given before).
"""

import json
import sys
import time

import numpy
import ortools
from ortools.graph.python import max_flow

with open(sys.argv[1], "rb") as file:
    nodes, arcs = (int(number) for number in numpy.fromfile(file, "<u4", 2))
    tails = numpy.fromfile(file, "<u4", arcs).astype(numpy.int32)
    heads = numpy.fromfile(file, "<u4", arcs).astype(numpy.int32)
    capacities = numpy.fromfile(file, "<i8", arcs)
with open(sys.argv[2]) as file:
    questions = json.load(file)

times = int(sys.argv[3])
source, sink = nodes, nodes + 1
pages = numpy.arange(nodes, dtype=numpy.int32)
given_out = numpy.zeros(nodes, dtype=numpy.int64)
numpy.add.at(given_out, tails, capacities)

answers = []
for question in questions:
    price, seeds = question["price"], numpy.array(question["seeds"], dtype=numpy.int32)
    seconds = 0.0
    for _ in range(times):
        network = max_flow.SimpleMaxFlow()
        network.add_arcs_with_capacity(tails, heads, capacities)
        network.add_arcs_with_capacity(pages, numpy.full(nodes, sink, numpy.int32), numpy.full(nodes, price, numpy.int64))
        # More than a seed can get rid of is as good as without end, and does not overflow.
        network.add_arcs_with_capacity(numpy.full(len(seeds), source, numpy.int32), seeds, given_out[seeds] + price + 1)
        begun = time.process_time()
        status = network.solve(source, sink)
        seconds += (time.process_time() - begun) / times
        if status != network.OPTIMAL:
            sys.exit(f"OR-Tools says {status}")
    outside = set(network.get_sink_side_min_cut())
    inside = [page for page in range(nodes) if page not in outside]
    answers.append({"flow": network.optimal_flow(), "inside": inside, "seconds": seconds})
print(json.dumps({"version": ortools.__version__, "answers": answers}))
