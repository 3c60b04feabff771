/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_MODELS_H
#define DRAGOMAN_MODELS_H

/**
 * @file
 * Published models by their names: "firefox:de-en", "hf:facebook/nllb-200-distilled-600M". Lists what publishers offer and
 * what is on this machine, and downloads. A library of its own, libdragoman_models: who brings its model links no
 * network. dragoman.h does not include this header, whose functions keep that one's rules. dragoman_model_load() and
 * every other function that takes a model's path takes the name of a model on this machine without this library.
 *
 *     dragoman_model_list* found = NULL;
 *     dragoman_models_download("firefox:de-en", NULL, &found);
 *     dragoman_model_list_destroy(found);
 *     dragoman_model_load("firefox:de-en", NULL, &model);
 */

#include <dragoman/dragoman.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How far a download is. Lives until the callback returns. */
typedef struct dragoman_download {
    uint32_t struct_size; /**< of the library: fields beyond it are not there */
    uint32_t reserved;    /**< 0 */
    const char* model;    /**< "firefox:de-en"; "": a registry's list */
    const char* file;     /**< the file that moved, without its folder */
    const char* note;     /**< a sentence for people, such as why it waits and how long; "": none */
    uint64_t done_bytes;  /**< of all files of the model, with what was there before */
    uint64_t total_bytes; /**< of all files; 0: not known */
} dragoman_download;

/**
 * Told a few times a second. Returns 0 to go on, anything else to stop: the call ends with DRAGOMAN_CANCELLED, and the next
 * one goes on where it stopped. Runs on the thread of the call.
 */
typedef int32_t (*dragoman_download_fn)(const dragoman_download* progress, void* user);

/** How registries are asked and models brought. */
typedef struct dragoman_models_options {
    uint32_t struct_size;   /**< bytes of this struct, set by dragoman_models_options_init() */
    int32_t offline;        /**< 1: no network; default 0, or 1 where DRAGOMAN_OFFLINE is set */
    int32_t refresh;        /**< 1: asks for lists even where those that are kept are younger than a day; default 0 */
    int32_t again;          /**< 1: downloads, or shows as it is offered, what is there, too; default 0 */
    int32_t parallel;       /**< files that come side by side, 1 to 16; default 4 */
    uint32_t reserved;      /**< 0 */
    const char* registries; /**< ids with commas between them; NULL (default): all */
    dragoman_download_fn progress; /**< NULL (default): none */
    void* user;                    /**< for progress */
    uint64_t
        memory_bytes; /**< of the device that is to hold a model, as dragoman_device_info has it: models whose files are
                                larger come last; 0 (default): not known */
} dragoman_models_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_models_options_init_sized(dragoman_models_options* options, size_t struct_size);
/** As dragoman_models_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_models_options_init(dragoman_models_options* options) {
    return dragoman_models_options_init_sized(options, sizeof *options);
}

/** Models that a call found, with all strings in them. Never changes; any number of threads may read it. */
typedef struct dragoman_model_list dragoman_model_list;

/** A published model. Borrowed from its list; no string is NULL, and "" stands for what is not known. */
typedef struct dragoman_published_model {
    uint32_t struct_size;  /**< of the library: fields beyond it are not there */
    int32_t installed;     /**< 1: on this machine, at `path` */
    const char* name;      /**< "firefox:de-en" */
    const char* title;     /**< for people */
    const char* from;      /**< languages, BCP 47 with commas between them; "": the model says it when it is loaded */
    const char* to;        /**< likewise */
    const char* publisher; /**< who made it */
    const char* license;   /**< "": not stated */
    const char* version;   /**< as the registry spells it */
    const char* architecture; /**< likewise */
    const char* metric;       /**< of `quality`: "comet22", "chrf", "bleu" */
    const char* path;         /**< what is loaded; "": not on this machine */
    const char* owner;        /**< "dragoman", or the program in whose cache it is: "huggingface"; "": not here */
    const char* notice;       /**< what the registry wants said before a download */
    const char* gate;         /**< where its licence has to be accepted first */
    double quality;           /**< as the registry has it; 0: it has none */
    uint64_t bytes;           /**< on this machine, otherwise to download; 0: not known */
    size_t file_count;        /**< files that dragoman_model_list_file() has */
} dragoman_published_model;

/** A file of a model. Borrowed from its list. */
typedef struct dragoman_published_file {
    uint32_t struct_size; /**< of the library: fields beyond it are not there */
    uint32_t reserved;    /**< 0 */
    const char* name;     /**< in the model's folder, with '/' */
    const char* url;      /**< where it comes from; "": a member of an archive */
    const char* sha256;   /**< of the file on this machine, or of what is downloaded; "": the registry has none */
    const char* proof;    /**< on this machine: "published": the registry's hash fitted; "first use": it has none;
                               "converted q8": made here, see dragoman_models_keep_file() */
    uint64_t bytes;       /**< 0: not known */
} dragoman_published_file;

/** How many models there are; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_model_list_count(const dragoman_model_list* list);
/** Model `index`; NULL beyond the last. Any thread. */
DRAGOMAN_API const dragoman_published_model* dragoman_model_list_get(const dragoman_model_list* list, size_t index);
/** File `file` of model `index`; NULL beyond the last. Any thread. */
DRAGOMAN_API const dragoman_published_file* dragoman_model_list_file(const dragoman_model_list* list, size_t index,
                                                                     size_t file);
/**
 * What kept the list from being whole, a line each: a registry that cannot be reached, a folder that is no model. "": nothing.
 * Lives as long as the list. Any thread.
 */
DRAGOMAN_API const char* dragoman_model_list_problems(const dragoman_model_list* list);
/** Ends the handle and what was borrowed from it. NULL is allowed. */
DRAGOMAN_API void dragoman_model_list_destroy(dragoman_model_list* list);

/**
 * The models on this machine: those that were downloaded, and those in the caches of other programs (Hugging Face,
 * llama.cpp, ollama, Argos, translateLocally, fxtranslate), which are only read. Any thread. Statuses: DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_models_installed(dragoman_model_list** list);

/**
 * The models that registries offer for two languages, the best first; NULL or "" for a language stands for any. Lists that
 * are older than a day are brought anew, unless offline. Any thread; waits for the network.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (a language, a registry), DRAGOMAN_BAD_MODEL (a registry's data file),
 * DRAGOMAN_CANCELLED, DRAGOMAN_IO_ERROR (only where no registry has a list).
 */
DRAGOMAN_API dragoman_status dragoman_models_search(const char* from, const char* to,
                                                    const dragoman_models_options* options, dragoman_model_list** list);

/** The models on this machine that lead from one language to another: one, two over a pivot, or none. Any thread. */
DRAGOMAN_API dragoman_status dragoman_models_installed_route(const char* from, const char* to,
                                                             dragoman_model_list** list);

/**
 * The models to load for two languages: those on this machine where there are some, otherwise the best that registries
 * offer, which are yet to be downloaded. Empty: none leads there. Any thread; waits for the network.
 * Statuses: those of dragoman_models_search().
 */
DRAGOMAN_API dragoman_status dragoman_models_route(const char* from, const char* to,
                                                   const dragoman_models_options* options, dragoman_model_list** list);

/**
 * One model by its name, with its files: as it is on this machine, otherwise as its registry offers it. Any thread; may
 * wait for the network. Statuses: those of dragoman_models_search(); DRAGOMAN_INVALID_ARGUMENT for an unknown name.
 */
DRAGOMAN_API dragoman_status dragoman_models_show(const char* name, const dragoman_models_options* options,
                                                  dragoman_model_list** list);

/**
 * Brings a model to this machine, and gives it as it is there. What is there in this version is not brought again. A download that
 * was stopped in any way goes on. Files are checked by the registry's sizes and hashes and appear when all are whole.
 * Processes that download the same model wait for each other. `list` may be NULL. Any thread; waits.
 * Statuses: those of dragoman_models_show(); DRAGOMAN_IO_ERROR: the network, the disk, a file that is not what its
 * registry says; DRAGOMAN_BAD_MODEL: an archive that is broken or dangerous.
 */
DRAGOMAN_API dragoman_status dragoman_models_download(const char* name, const dragoman_models_options* options,
                                                      dragoman_model_list** list);

/**
 * Reads the files of a downloaded model again and compares sizes and hashes. Any thread; waits.
 * Statuses: DRAGOMAN_BAD_MODEL: the message names each file that differs; DRAGOMAN_INVALID_ARGUMENT: not downloaded by this
 * library; DRAGOMAN_CANCELLED, DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_models_verify(const char* name, const dragoman_models_options* options);

/**
 * Keeps one file instead of the files of a downloaded model: a GGUF file that dragoman_model_convert() made of it. The file is
 * copied; what was downloaded goes when the copy is whole. The `proof` of the file then says which type it was converted
 * to: "converted keep", "converted f32", "f16", "q8" or "q4" likewise. A later download brings what the publisher has again.
 * Any thread; waits.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT: not downloaded by this library; DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED: no GGUF
 * file of a model; DRAGOMAN_CANCELLED, DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_models_keep_file(const char* name, const char* file,
                                                       const dragoman_models_options* options);

/**
 * Removes a downloaded model. Statuses: DRAGOMAN_INVALID_ARGUMENT: it is not there, or belongs to another program;
 * DRAGOMAN_IO_ERROR. Any thread.
 */
DRAGOMAN_API dragoman_status dragoman_models_remove(const char* name);

/**
 * Removes parts of downloads that were not gone on with for so many days; `bytes`, which may be NULL, gets how much. Any
 * thread. Statuses: DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_models_clean(double days, uint64_t* bytes);

/** The folder that downloaded models lie in, whether it is there or not; "": the system does not say. Lives until this
    thread calls it again. */
DRAGOMAN_API const char* dragoman_models_folder(void);

/** Registries that are known. Never changes; any number of threads may read it. */
typedef struct dragoman_registry_list dragoman_registry_list;

/** A registry. Borrowed from its list; no string is NULL. */
typedef struct dragoman_registry {
    uint32_t struct_size;  /**< of the library: fields beyond it are not there */
    uint32_t reserved;     /**< 0 */
    const char* id;        /**< "firefox", what names begin with */
    const char* title;     /**< for people */
    const char* homepage;  /**< its address */
    const char* license;   /**< of its models, unless one has its own; "": not stated */
    const char* notice;    /**< said before a download; "": none */
    const char* list_url;  /**< its list's address; "": it has none, names are taken as they are */
    const char* mirror;    /**< the variable that names another host: "DRAGOMAN_MIRROR_FIREFOX" */
    const char* file;      /**< which describes it; "built in" */
    const char* list_time; /**< when the list on this machine was fetched: "2026-11-26T10:00:00Z"; "": none is here */
} dragoman_registry;

/** The registries, those of the user's folder too. Any thread. Statuses: DRAGOMAN_BAD_MODEL: a broken data file. */
DRAGOMAN_API dragoman_status dragoman_registries(dragoman_registry_list** list);
/** How many registries there are; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_registry_list_count(const dragoman_registry_list* list);
/** Registry `index`; NULL beyond the last. Any thread. */
DRAGOMAN_API const dragoman_registry* dragoman_registry_list_get(const dragoman_registry_list* list, size_t index);
/** Ends the handle and what was borrowed from it. NULL is allowed. */
DRAGOMAN_API void dragoman_registry_list_destroy(dragoman_registry_list* list);

/** The message of this thread's latest failed call of this header. Never NULL. Lives until the next one. */
DRAGOMAN_API const char* dragoman_models_error(void);

#ifdef __cplusplus
}
#endif

#endif
