/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_DEVICE_H
#define DRAGOMAN_DEVICE_H

/**
 * @file
 * The devices that Vulkan offers. Part of dragoman.h, which has the rules.
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
    DRAGOMAN_DEVICE_CPU = 3,        /**< Vulkan in software, as lavapipe */
    DRAGOMAN_DEVICE_OTHER = 4       /**< what the driver does not name */
} dragoman_device_kind;

/** Facts about a device. Flags are 0 or 1. Names that are too long are cut. */
typedef struct dragoman_device_info {
    uint32_t struct_size;        /**< bytes of this struct, set by dragoman_device_info_init() */
    uint32_t index;              /**< place in the list, valid as a device name in dragoman_model_options */
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
    uint64_t memory_bytes;       /**< largest device-local heap */
    uint64_t max_buffer_bytes;   /**< largest buffer that a shader can see */
    uint8_t uuid[16];            /**< stays the same after a restart; as hexadecimal digits a device name, too */
    char name[256];              /**< as the driver calls it */
    char driver[256];            /**< name and version of the driver, for people */
} dragoman_device_info;

/** Prepares `info` for dragoman_device_describe() or dragoman_model_device(). */
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
    int32_t measured;      /**< 1: the driver says budget and use; 0: it does not: the whole heap, and 0 */
    uint64_t heap_bytes;   /**< largest device-local heap */
    uint64_t budget_bytes; /**< what this process may use of it now, beside other programs */
    uint64_t used_bytes;   /**< what this process uses of it, with or without Dragoman */
    /* Of a model and its translators; 0 from dragoman_device_memory(). */
    uint64_t held_bytes;   /**< device memory they hold now */
    uint64_t peak_bytes;   /**< most they ever held */
    uint64_t limit_bytes;  /**< memory_limit_bytes of dragoman_model_options; 0: none */
} dragoman_memory_info;

/** Prepares `info` for dragoman_device_memory() or dragoman_model_memory(). */
static inline void dragoman_memory_info_init(dragoman_memory_info* info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/**
 * Memory of device `index` < count. Asks the driver at every call. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE, also for an index that is too large.
 */
DRAGOMAN_API dragoman_status dragoman_device_memory(uint32_t index, dragoman_memory_info* info);

#ifdef __cplusplus
}
#endif

#endif
