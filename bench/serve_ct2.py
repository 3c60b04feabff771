#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plainest server that one would write around CTranslate2, to compare `dragoman serve` with.

    serve_ct2.py --model CT2_FOLDER --spm source.spm --ready-file FILE [--gather]

POST /translate {q, source, target} -> {translatedText}, one text at a time in the order in which they come; --gather:
all that wait are translated as one batch (at most --batch). Needs ctranslate2 and sentencepiece."""
import argparse
import asyncio
import concurrent.futures
import json
import pathlib

import ctranslate2
import sentencepiece


class Engine:
    def __init__(self, options):
        self.translator = ctranslate2.Translator(str(options.model), device="cpu", compute_type=options.compute_type,
                                                 inter_threads=1, intra_threads=options.threads)
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(options.spm))
        self.beam, self.most = options.beam, options.batch if options.gather else 1
        self.pool, self.waiting = concurrent.futures.ThreadPoolExecutor(1), None

    def translate(self, asked):
        sources = [[f">>{target}<<", *self.pieces.encode(text, out_type=str), "</s>"] for text, target in asked]
        found = self.translator.translate_batch(sources, beam_size=self.beam, max_batch_size=self.most,
                                                max_decoding_length=512)
        return [self.pieces.decode_pieces(each.hypotheses[0]) for each in found]

    async def run(self):
        self.waiting = asyncio.Queue()
        while True:
            batch = [await self.waiting.get()]
            while len(batch) < self.most and not self.waiting.empty():
                batch.append(self.waiting.get_nowait())
            answers = await asyncio.get_running_loop().run_in_executor(self.pool, self.translate,
                                                                       [asked for asked, _ in batch])
            for (_, future), answer in zip(batch, answers):
                if not future.cancelled():
                    future.set_result(answer)


async def serve(engine, reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length:")[2].partition("\r\n")[0] or 0)
            body = await reader.readexactly(length)
            if head.startswith("post /translate"):
                fields = json.loads(body)
                texts = fields["q"] if isinstance(fields["q"], list) else [fields["q"]]
                futures = []
                for text in texts:
                    futures.append(asyncio.get_running_loop().create_future())
                    engine.waiting.put_nowait(((text, fields["target"]), futures[-1]))
                found = await asyncio.gather(*futures)
                answer = {"translatedText": found if isinstance(fields["q"], list) else found[0]}
            else:
                answer = {"status": "ok"}
            body = json.dumps(answer).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--spm", type=pathlib.Path, required=True)
    parser.add_argument("--ready-file", type=pathlib.Path, required=True)
    parser.add_argument("--gather", action="store_true")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--compute-type", default="float32")
    options = parser.parse_args()
    engine = Engine(options)
    server = await asyncio.start_server(lambda reader, writer: serve(engine, reader, writer), "127.0.0.1", 0, backlog=4096)
    options.ready_file.write_text("http://127.0.0.1:%d" % server.sockets[0].getsockname()[1])
    await engine.run()


asyncio.run(main())
