/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_DEVICE_H
#define DRAGOMAN_DEVICE_H

/**
 * @file
 * The devices that Vulkan offers, and devices in use. Part of dragoman.h, which has the rules.
 */

#include <dragoman/basics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of device, best first. */
typedef enum dragoman_device_kind {
    DRAGOMAN_DEVICE_DISCRETE = 0,   /**< a graphics card with memory of its own */
    DRAGOMAN_DEVICE_INTEGRATED = 1, /**< a GPU that shares the processor's memory */
    DRAGOMAN_DEVICE_VIRTUAL = 2,    /**< a part of a GPU, lent to a virtual machine */
    DRAGOMAN_DEVICE_CPU = 3,        /**< Vulkan in software, such as lavapipe */
    DRAGOMAN_DEVICE_OTHER = 4       /**< a kind that the driver does not name */
} dragoman_device_kind;

/** Facts about a device. Flags are 0 or 1. Names that are too long are cut. */
typedef struct dragoman_device_info {
    uint32_t struct_size;        /**< bytes of this struct, set by dragoman_device_info_init() */
    uint32_t index;              /**< place in the list, valid as a name in dragoman_device_options */
    int32_t kind;                /**< a dragoman_device_kind */
    uint32_t vendor_id;          /**< PCI */
    uint32_t device_id;          /**< PCI */
    uint32_t api_version;        /**< Vulkan: major << 22 | minor << 12 | patch */
    uint32_t driver_version;     /**< as the driver encodes it */
    uint32_t subgroup_size;      /**< invocations */
    int32_t f16;                 /**< 16-bit floats can be stored and computed with */
    int32_t cooperative_matrix;  /**< VK_KHR_cooperative_matrix with f16 operands and f32 sums */
    int32_t integer_dot_product; /**< VK_KHR_shader_integer_dot_product, which int8 models use */
    int32_t unified_memory;      /**< the device's memory is the host's */
    uint64_t memory_bytes;       /**< largest device-local heap; of an integrated GPU, all heaps together */
    uint64_t max_buffer_bytes;   /**< largest buffer that a shader can see */
    uint8_t uuid[16];            /**< stays the same after a restart; as hexadecimal digits a device name, too */
    char name[256];              /**< as the driver calls it */
    char driver[256];            /**< name and version of the driver, for people */
} dragoman_device_info;

/** Prepares `info` for dragoman_device_describe(), dragoman_device_get_info() or dragoman_model_device(). */
static inline void dragoman_device_info_init(dragoman_device_info* info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/**
 * Number of Vulkan devices; 0 where there is a Vulkan loader but no driver. Any thread.
 * Statuses: DRAGOMAN_NO_DEVICE where there is no Vulkan loader.
 */
DRAGOMAN_API dragoman_status dragoman_device_count(uint32_t* count);

/**
 * Describes device `index` < count, in the order of the drivers. Asks the drivers anew at every call. Any thread.
 * Statuses: DRAGOMAN_NO_DEVICE, also for an index that is too large.
 */
DRAGOMAN_API dragoman_status dragoman_device_describe(uint32_t index, dragoman_device_info* info);

/** Memory of a device, in bytes, at the moment of the call. */
typedef struct dragoman_memory_info {
    uint32_t struct_size;  /**< bytes of this struct, set by dragoman_memory_info_init() */
    int32_t measured;      /**< 1: the driver tells budget and use; 0: it does not, so they are the whole heap and 0 */
    uint64_t heap_bytes;   /**< largest device-local heap; of an integrated GPU, all heaps together */
    uint64_t budget_bytes; /**< of it, how much this process may use now, besides other programs */
    uint64_t used_bytes;   /**< of it, how much this process uses, Dragoman or not */
    /* Of an open device, with everything on it; 0 from dragoman_device_memory(). Of several devices that work together,
     * all of these numbers are sums. */
    uint64_t held_bytes;  /**< device memory that its models and their translations hold now */
    uint64_t peak_bytes;  /**< most they ever held */
    uint64_t limit_bytes; /**< memory_limit_bytes of dragoman_device_options; 0: none */
} dragoman_memory_info;

/** Prepares `info` for dragoman_device_memory(), dragoman_device_get_memory() or dragoman_model_memory(). */
static inline void dragoman_memory_info_init(dragoman_memory_info* info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/**
 * Memory of device `index` < count. Asks the driver at every call. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE, also for an index that is too large.
 */
DRAGOMAN_API dragoman_status dragoman_device_memory(uint32_t index, dragoman_memory_info* info);

/* ---- Open devices ------------------------------------------------------------------------------------------------ */

/**
 * A device in use. Models are loaded onto it. Everything on it shares one memory budget and one queue of work, in which
 * calls and jobs of equal priority get equal shares, whichever models they use. Any number of threads may use it at the
 * same time.
 */
typedef struct dragoman_device dragoman_device;

/** Whether the first load of a model on a GPU measures which kernels are fastest there. CPU devices measure nothing. */
typedef enum dragoman_tune {
    DRAGOMAN_TUNE_AUTO = 0, /**< as DRAGOMAN_AUTOTUNE in the environment says, otherwise mostly in the background */
    DRAGOMAN_TUNE_OFF = 1,  /**< nothing is measured; what is known from before is used */
    DRAGOMAN_TUNE_ON = 2    /**< loading waits until all is measured, so it takes some seconds */
} dragoman_tune;

/** How a device is opened. */
typedef struct dragoman_device_options {
    uint32_t struct_size; /**< bytes of this struct, set by dragoman_device_options_init() */
    int32_t validation;   /**< 1: run under the Vulkan validation layer where it is installed; default 0 */
    /**
     * Which device: a number is its index, 32 hexadecimal digits (dashes allowed) its UUID, anything else a part of its
     * name in any case. NULL or "" (default): DRAGOMAN_DEVICE from the environment, else the best one, discrete before
     * integrated before virtual before other GPUs before CPU. dragoman_device_adopt() ignores it.
     * "all", every GPU (the best device where there is none), and lists such as "0,1" open several devices that work
     * together behind one handle: each model is loaded on each of them, its sentences go to the device that will be free
     * first, and those of a device that is lost go to the others. Embeddings of many texts are shared out in the same way.
     */
    const char* name;
    /**
     * Folder for compiled pipelines. NULL or "" (default): DRAGOMAN_CACHE_DIR from the environment, else the user's
     * cache folder. "-": none.
     */
    const char* cache_dir;
    /** Device memory that everything on it, or on each of several devices, may hold; 0 (default): no limit */
    uint64_t memory_limit_bytes;
    /**
     * 1: kernels are used without being checked on this device before (dragoman_device_check() checks all the same);
     * default 0.
     */
    int32_t trust_kernels;
    uint32_t reserved;  /**< 0 */
    int32_t tune;       /**< a dragoman_tune; default DRAGOMAN_TUNE_AUTO */
    uint32_t reserved2; /**< 0 */
} dragoman_device_options;

/** Fills in size and defaults. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_device_options_init_sized(dragoman_device_options* options, size_t struct_size);
/** As dragoman_device_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_device_options_init(dragoman_device_options* options) {
    return dragoman_device_options_init_sized(options, sizeof *options);
}

/**
 * Opens a device. `options` NULL: the defaults. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE,
 * DRAGOMAN_UNSUPPORTED, DRAGOMAN_OUT_OF_MEMORY.
 */
DRAGOMAN_API dragoman_status dragoman_device_open(const dragoman_device_options* options, dragoman_device** device);

/** Called around every use of an adopted device's queue, on any of the library's threads or the caller's. */
typedef void (*dragoman_queue_lock_fn)(void* user);

/**
 * A VkDevice of the program's own. Handles are Vulkan's, as pointers. The program keeps them alive until every model on
 * the device is gone, and holds the same lock whenever it uses the queue itself.
 */
typedef struct dragoman_vulkan_device {
    uint32_t struct_size;          /**< bytes of this struct, set by dragoman_vulkan_device_init() */
    uint32_t api_version;          /**< apiVersion of the instance's VkApplicationInfo; at least Vulkan 1.2 */
    void* get_instance_proc_addr;  /**< PFN_vkGetInstanceProcAddr that made the instance; NULL: the system's loader */
    void* instance;                /**< VkInstance */
    void* physical_device;         /**< VkPhysicalDevice */
    void* device;                  /**< VkDevice */
    uint32_t queue_family;         /**< of a queue that can compute */
    uint32_t queue_index;          /**< in the family */
    const char* const* extensions; /**< names of those that the device was made with; NULL if there are none */
    size_t extension_count;        /**< how many */
    const void* features;          /**< VkPhysicalDeviceFeatures2 and chain that the device was made with; read once */
    dragoman_queue_lock_fn lock;   /**< NULL: the queue is the library's alone, and so must `unlock` be */
    dragoman_queue_lock_fn unlock; /**< called on the thread that `lock` was called on */
    void* user;                    /**< for lock and unlock */
} dragoman_vulkan_device;

/** Prepares `device` for dragoman_device_adopt() and dragoman_vulkan_wanted(). */
static inline void dragoman_vulkan_device_init(dragoman_vulkan_device* device) {
    memset(device, 0, sizeof *device);
    device->struct_size = (uint32_t)sizeof *device;
}

/**
 * Opens a VkDevice that the program made and keeps, and may go on using. Extensions and features that it was made
 * without are not used; dragoman_vulkan_wanted() names those that help. `options` NULL: the defaults. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE, naming what it needs and the device lacks,
 * DRAGOMAN_OUT_OF_MEMORY.
 */
DRAGOMAN_API dragoman_status dragoman_device_adopt(const dragoman_vulkan_device* device,
                                                   const dragoman_device_options* options, dragoman_device** adopted);

/** Extensions and features that a VkDevice should be made with. Never changes; any number of threads may read it. */
typedef struct dragoman_wanted_device dragoman_wanted_device;

/**
 * Names the extensions and features with which a VkDevice works best here. Reads from `device` only the instance, its
 * version and loader, and the physical device. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE.
 */
DRAGOMAN_API dragoman_status dragoman_vulkan_wanted(const dragoman_vulkan_device* device,
                                                    dragoman_wanted_device** wanted);

/** Number of extensions; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_wanted_extension_count(const dragoman_wanted_device* wanted);

/** Their names, borrowed; NULL when there are none. Any thread. */
DRAGOMAN_API const char* const* dragoman_wanted_extensions(const dragoman_wanted_device* wanted);

/** A VkPhysicalDeviceFeatures2 with its chain, borrowed, for the pNext of VkDeviceCreateInfo. Any thread. */
DRAGOMAN_API const void* dragoman_wanted_features(const dragoman_wanted_device* wanted);

/** Ends the handle and everything borrowed from it. Any thread. */
DRAGOMAN_API void dragoman_wanted_device_destroy(dragoman_wanted_device* wanted);

/** Ends the handle. Models on the device keep it, so the order of destruction does not matter. Any thread. */
DRAGOMAN_API void dragoman_device_close(dragoman_device* device);

/** Describes an open device, of several the first. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_device_get_info(const dragoman_device* device, dragoman_device_info* info);

/** How many devices work together behind the handle: 1 or more; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_device_member_count(const dragoman_device* device);

/** Describes device `index` < count of those that work together. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_device_member_info(const dragoman_device* device, size_t index,
                                                         dragoman_device_info* info);

/** Its memory, and what everything on it holds. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_device_get_memory(const dragoman_device* device, dragoman_memory_info* info);

/**
 * Gives back device memory except models and what running calls and jobs use. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT.
 */
DRAGOMAN_API dragoman_status dragoman_device_trim(dragoman_device* device);

#ifdef __cplusplus
}
#endif

#endif
