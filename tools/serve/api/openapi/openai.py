# SPDX-License-Identifier: Apache-2.0
"""OpenAI's routes: chats whose answer is the translation."""
import functools

from schema import (EVENTS, add, answer, any_of, array, body, boolean, choice, content, integer, record, ref, string,
                    texts)

openai = functools.partial(add, "OpenAI", "OpenAIError")
NULL = {"type": "null"}
CHOICES = integer("Translations; the best first", minimum=1, default=1)
PASSED_OVER = "What else OpenAI's clients send (max_tokens, temperature ...) is passed over."
MODEL = string("A name of /models; dragoman-de-en names languages, too", default="dragoman")


def completion(name, said):
    """`said`: the field of a choice that has the translation."""
    fields = {"index": integer(), **said, "logprobs": NULL, "finish_reason": choice("stop")}
    usage = {"prompt_tokens": integer(), "completion_tokens": integer(), "total_tokens": integer()}
    return record({"id": string(), "object": choice(name), "created": integer(), "model": string(),
                   "choices": array(record(fields, " ".join(fields))), "usage": record(usage, " ".join(usage))},
                  "id object created model choices usage")


SCHEMAS = {
    "OpenAIError": record({"error": record({
        "message": string(), "type": string(), "param": any_of(string(), NULL), "code": any_of(string(), NULL)},
        "message type param code")}, "error"),
    "OpenAIModel": record({"id": string(), "object": choice("model"), "created": integer(), "owned_by": string()},
                          "id object created owned_by"),
    "OpenAIChat": completion("chat.completion", {"message": record({"role": choice("assistant"), "content": string()},
                                                                   "role content")}),
    "OpenAICompletion": completion("text_completion", {"text": string()}),
}


def add_all():
    part = record({"type": choice("text", default="text"), "text": string()}, "text")
    message = record({"role": string("The last one of the user is translated; system and developer say how"),
                      "content": any_of(string(), array(part))}, "role content")
    for root, name in (("", ""), ("/v1", "V1")):
        openai("POST", root + "/chat/completions", f"openaiChat{name}", "Translate the last message of the user",
               {200: {"description": "A completion; with stream as events",
                      "content": {**content(ref("OpenAIChat")), **content(EVENTS, "text/event-stream")}}},
               request=body(record({
                   "model": MODEL, "messages": array(message), "n": CHOICES, "stream": boolean(default=False),
                   "stream_options": record({"include_usage": boolean(default=False)})}, "messages")), errors=(503,),
               description="Languages stand in the system message, before the text, or in the model's name. "
                           + PASSED_OVER)
        openai("POST", root + "/completions", f"openaiCompletion{name}", "Translate prompts",
               {200: answer("A completion", ref("OpenAICompletion"))},
               request=body(record({"model": MODEL, "prompt": texts(""), "n": CHOICES,
                                    "stream": boolean("Refused: chats alone are streamed", default=False)}, "prompt")),
               errors=(501, 503), description="Languages stand before each text, or in the model's name. "
                                                  + PASSED_OVER)
    openai("GET", "/models", "openaiModels", "Models by their names, and one for each two languages",
           {200: answer("", record({"object": choice("list"), "data": array(ref("OpenAIModel"))}, "object data"))})
    openai("GET", "/models/{name}", "openaiModel", "One of these; its name may have slashes",
           {200: answer("", ref("OpenAIModel"))}, errors=(404,))
