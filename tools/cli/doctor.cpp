// SPDX-License-Identifier: Apache-2.0
// `dragoman doctor`: what a translation needs, one line for each, for people and for reports of bugs.
#include "doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/os/environment.h"
#include "base/os/file.h"
#include "base/os/machine.h"
#include "base/os/path_text.h"
#include "base/os/process.h"
#include "base/os/whole_file.h"
#include "combinations.h"
#include "config_file.h"
#include "device_options.h"
#include "device_text.h"
#include "doctor_sheet.h"
#include "system_facts.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

std::string with_unit(uint64_t bytes) {
    const double mib = double(bytes) / (1 << 20);
    if (mib < 0.1) return fmt::format("{:.1f} KiB", double(bytes) / 1024);
    return mib < 10240 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

std::string milliseconds(double seconds) { return fmt::format("{:.0f} ms", 1000 * seconds); }

// What the library said of kernels and warned of, on whichever thread.
class Listener {
public:
    Listener() : logger_([this](int32_t level, const char* line) { see(level, line); }, DRAGOMAN_LOG_DEBUG) {}
    std::size_t checked() const {
        const std::lock_guard lock(mutex_);
        return checked_.size();
    }
    std::vector<std::string> wrong() const {
        const std::lock_guard lock(mutex_);
        return wrong_;
    }
    std::vector<std::string> warnings() const {
        const std::lock_guard lock(mutex_);
        return warnings_;
    }

private:
    void see(int32_t level, std::string_view line) {
        const std::lock_guard lock(mutex_);
        const std::size_t kernel = line.find(" is new on this device");  // said again by each thread that waits for it
        if (kernel != std::string_view::npos) checked_.emplace(line.substr(0, kernel));
        if (level > DRAGOMAN_LOG_WARNING) return;
        const bool of_kernel = line.starts_with("kernel ") && line.find(" is not used: ") != std::string_view::npos;
        (of_kernel ? wrong_ : warnings_).emplace_back(line);
    }

    mutable std::mutex mutex_;
    std::set<std::string> checked_;
    std::vector<std::string> wrong_, warnings_;
    dragoman::Logger logger_;
};

std::string lines_of(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "\n") + part;
    return text;
}

struct Sentence {
    const char *language, *text;
};
// The first language is the one for a model that names none.
constexpr std::array kSentences = {Sentence{"en", "Where is the station?"},
                                   Sentence{"de", "Wo ist der Bahnhof?"},
                                   Sentence{"fr", "Où est la gare ?"},
                                   Sentence{"es", "¿Dónde está la estación?"},
                                   Sentence{"it", "Dov'è la stazione?"},
                                   Sentence{"pt", "Onde fica a estação?"},
                                   Sentence{"nl", "Waar is het station?"},
                                   Sentence{"ru", "Где вокзал?"},
                                   Sentence{"uk", "Де вокзал?"},
                                   Sentence{"pl", "Gdzie jest dworzec?"},
                                   Sentence{"zh", "车站在哪里？"},
                                   Sentence{"ja", "駅はどこですか。"},
                                   Sentence{"ar", "أين المحطة؟"}};

bool has(const std::vector<dragoman::Language>& languages, const std::string& tag) {
    return std::ranges::find(languages, tag, &dragoman::Language::tag) != languages.end();
}

class Examination {
public:
    explicit Examination(DoctorCommand& command) : command_(command), sheet_(command.json) {}

    bool run() {
        look_at_system();
        const bool has_loader = look_at_loader();
        const bool has_device = look_at_devices(has_loader);
        look_at_cache();
        const bool has_model = look_at_model();
        bool works = false;
        if (has_device && has_model) works = translate();
        if (has_device && command_.full) works = check_kernels() && works;
        look_at_libraries();
        look_at_variables();
        works = look_at_config() && works;
        sheet_.end(works);
        return works;
    }

private:
    void look_at_system() {
        const unsigned processors = std::thread::hardware_concurrency();
        std::string text = fmt::format("{}, {} processors", system_text(), processors);
        Json facts = {{"processors", processors}};
        if (const auto bytes = dragoman::os::free_memory_bytes()) {
            text += ", " + with_unit(*bytes) + " of memory free";
            facts["free_memory_bytes"] = *bytes;
        }
        sheet_.add({.name = "system", .text = text, .facts = facts});
        const std::string built = fmt::format("{}.{}.{}", DRAGOMAN_VERSION_MAJOR, DRAGOMAN_VERSION_MINOR,
                                              DRAGOMAN_VERSION_PATCH);
        const std::string library = dragoman_version_string();
        const bool same = built == library;
        sheet_.add({.name = "dragoman",
                    .verdict = same ? Verdict::fine : Verdict::note,
                    .text = same ? library : fmt::format("library {}, this program {}", library, built),
                    .hint = same ? ""
                                 : "the program runs with a library of another version; two installations are mixed",
                    .facts = {{"library", library}, {"program", built}}});
    }

    bool look_at_loader() {
        if (!dragoman_has_feature("vulkan")) {
            std::string error = "none";
            try {
                dragoman::devices();
            } catch (const std::exception& caught) {
                error = caught.what();
            }
            const bool named = !dragoman::os::environment("DRAGOMAN_VULKAN_LOADER").empty();
            sheet_.add({.name = "loader",
                        .verdict = Verdict::wrong,
                        .text = error,
                        .hint = named ? "unset DRAGOMAN_VULKAN_LOADER, or let it name a Vulkan loader"
                                      : "install Vulkan's loader (Debian: libvulkan1; Fedora: vulkan-loader) or the "
                                        "driver of the graphics card, which brings it"});
            return false;
        }
        const auto loader = vulkan_loader();
        const std::string version = loader && !loader->version.empty() ? loader->version : "of an unknown version";
        const std::string file = loader ? loader->file : "";
        sheet_.add({.name = "loader",
                    .text = "Vulkan " + version + (file.empty() ? "" : ", " + file),
                    .facts = {{"version", version}, {"file", without_home(file)}}});
        return true;
    }

    // What can be done about GPUs that Vulkan does not list.
    static std::string hint_for(const std::vector<dragoman::os::Gpu>& found) {
        const std::vector<std::string> closed = dragoman::os::closed_gpus();
        if (!closed.empty())
            return closed.front() +
                   " may not be opened by this user: join the group that owns it (render or video), or, "
                   "in a container, pass --device /dev/dri";
        for (const char* name : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT"})
            if (!dragoman::os::environment(name).empty())
                return std::string(name) + " is set and hides the drivers that it does not name; unset it";
        if (std::ranges::any_of(found, [](const dragoman::os::Gpu& gpu) { return gpu.maker == "NVIDIA"; }))
            return "install NVIDIA's driver with its Vulkan part (Debian: nvidia-driver and nvidia-vulkan-icd); a "
                   "container needs NVIDIA_DRIVER_CAPABILITIES=all";
        return "install the Vulkan driver of the card (AMD, Intel and most chips, Debian: mesa-vulkan-drivers)";
    }

    bool look_at_devices(bool has_loader) {
        const std::vector<dragoman::os::Gpu> in_machine = dragoman::os::gpus();
        std::string names;
        Json found = Json::array();
        for (const dragoman::os::Gpu& gpu : in_machine) {
            names += (names.empty() ? "" : "; ") + gpu.maker + (gpu.id.empty() ? "" : " " + gpu.id) +
                     (gpu.kernel_driver.empty() ? ", without a driver of the kernel"
                                                : ", kernel's driver " + gpu.kernel_driver);
            found.push_back({{"maker", gpu.maker}, {"id", gpu.id}, {"kernel_driver", gpu.kernel_driver}});
        }
        if (!has_loader) {
            if (!in_machine.empty())
                sheet_.add({.name = "graphics", .verdict = Verdict::note, .text = names, .facts = {{"gpus", found}}});
            return false;
        }
        std::vector<dragoman_device_info> devices;
        try {
            devices = dragoman::devices();
        } catch (const std::exception& error) {
            sheet_.add(
                {.name = "devices", .verdict = Verdict::wrong, .text = error.what(), .hint = hint_for(in_machine)});
            return false;
        }
        const bool cpu_only = std::ranges::all_of(devices, [](const dragoman_device_info& device) {
            return device.kind == DRAGOMAN_DEVICE_CPU;
        });
        if (!in_machine.empty())
            sheet_.add({.name = "graphics",
                        .verdict = cpu_only ? Verdict::wrong : Verdict::fine,
                        .text = names + (cpu_only ? ": in the machine, but Vulkan has no driver for it" : ""),
                        .hint = cpu_only ? hint_for(in_machine) : "",
                        .facts = {{"gpus", found}}});
        if (devices.empty()) {
            sheet_.add({.name = "devices",
                        .verdict = Verdict::wrong,
                        .text = "Vulkan's loader found no driver with a device",
                        .hint = in_machine.empty() ? "install a Vulkan driver; without a GPU, Mesa's for the processor "
                                                     "(Debian: mesa-vulkan-drivers)"
                                                   : hint_for(in_machine)});
            return false;
        }
        for (const dragoman_device_info& device : devices) add(device);
        return open_device();
    }

    void add(const dragoman_device_info& device) {
        std::string text = fmt::format("[{}] {}, {}, {}, Vulkan {}, {}{}", device.index, device.name, kind_of(device),
                                       device.driver, vulkan_version(device.api_version),
                                       with_unit(device.memory_bytes),
                                       device.unified_memory ? " of the host's memory" : "");
        text += fmt::format(", subgroups of {}, 16-bit floats {}, cooperative matrices {}, integer dot product {}",
                            device.subgroup_size, device.f16 ? "yes" : "no", device.cooperative_matrix ? "yes" : "no",
                            device.integer_dot_product ? "yes" : "no");
        sheet_.add({.name = "device", .text = text, .facts = {{"device", to_json(device)}}});
    }

    bool open_device() {
        try {
            device_.emplace(command_.machine.where());
        } catch (const std::exception& error) {
            sheet_.add(
                {.name = "in use",
                 .verdict = Verdict::wrong,
                 .text = error.what(),
                 .hint =
                     "--device, DRAGOMAN_DEVICE and config.toml's device take an index, a UUID or a part of a name; what a device "
                     "needs is in docs/devices.md"});
            return false;
        }
        const dragoman_device_info info = device_->info();
        const bool cpu = info.kind == DRAGOMAN_DEVICE_CPU;
        sheet_.add({.name = "in use",
                    .verdict = cpu ? Verdict::note : Verdict::fine,
                    .text = fmt::format("[{}] {}{}", info.index, info.name, cpu ? ": the processor" : ""),
                    .hint = cpu ? "translations are right, but slow; a GPU with a Vulkan driver is many times faster"
                                : "",
                    .facts = {{"index", info.index}}});
        const dragoman_memory_info memory = device_->memory();
        const uint64_t free = memory.budget_bytes - std::min(memory.budget_bytes, memory.used_bytes);
        constexpr uint64_t kLittle = uint64_t(256) << 20;
        const bool little = memory.measured && free < kLittle;
        sheet_.add({.name = "memory",
                    .verdict = little ? Verdict::note : Verdict::fine,
                    .text = with_unit(memory.heap_bytes) +
                            (memory.measured ? fmt::format(", {} of it free for this process", with_unit(free))
                                             : ", the driver does not tell how much is free"),
                    .hint = little ? "other programs hold the device's memory; close them, or take a smaller model"
                                   : "",
                    .facts = {{"heap_bytes", memory.heap_bytes},
                              {"budget_bytes", memory.budget_bytes},
                              {"used_bytes", memory.used_bytes},
                              {"measured", memory.measured != 0}}});
        return true;
    }

    void look_at_cache() {
        const std::string own = command_.machine.cache_dir, variable = dragoman::os::environment("DRAGOMAN_CACHE_DIR");
        fs::path folder = dragoman::path_of(own.empty() ? variable : own);
        if (folder.empty()) {
            const fs::path users = dragoman::os::cache_folder();
            if (!users.empty()) folder = users / "dragoman";
        }
        if (folder.empty() || folder == "-") {
            sheet_.add({.name = "cache",
                        .verdict = Verdict::note,
                        .text = "none",
                        .hint =
                            "every process compiles its kernels anew, which takes seconds; DRAGOMAN_CACHE_DIR names "
                            "a folder to keep them in"});
            return;
        }
        std::error_code error;
        const bool existed = fs::is_directory(folder, error);
        fs::create_directories(folder, error);
        std::size_t count = 0;
        uint64_t bytes = 0;
        std::vector<dragoman::os::FileEntry> files;
        if (!dragoman::os::list_files(folder, files)) {
            for (const dragoman::os::FileEntry& file : files) bytes += file.bytes;
            count = files.size();
        }
        const std::string failure = dragoman::os::why_not_writable(folder / "doctor");
        const std::string path = dragoman::text_of(folder);
        sheet_.add({.name = "cache",
                    .verdict = failure.empty() ? Verdict::fine : Verdict::wrong,
                    .text = fmt::format("{}, {}{} files, {}", path,
                                        !failure.empty() ? "cannot be written (" + failure + "), "
                                        : existed        ? ""
                                                         : "new, ",
                                        count, with_unit(bytes)),
                    .hint = failure.empty() ? ""
                                            : "give this user the right to write there, or name another folder with "
                                              "DRAGOMAN_CACHE_DIR; until then every process compiles its kernels anew",
                    .facts = {{"folder", without_home(path)},
                              {"existed", existed},
                              {"writable", failure.empty()},
                              {"files", count},
                              {"bytes", bytes}}});
    }

    bool look_at_model() {
        const char* const path = command_.machine.path();
        const bool named = path != nullptr, variable = !dragoman::os::environment("DRAGOMAN_MODEL").empty();
        const std::string of_file = command_.model_from;
        const std::string origin = !of_file.empty() ? of_file
                                   : named          ? "--model"
                                   : variable       ? "DRAGOMAN_MODEL"
                                                    : "comes with the library";
        try {
            dragoman::Description found = dragoman::describe(path);
            model_info_ = found.info;
            from_ = std::move(found.sources);
            to_ = std::move(found.targets);
        } catch (const std::exception& error) {
            sheet_.add(
                {.name = "model",
                 .verdict = Verdict::wrong,
                 .text = error.what(),
                 .hint = !of_file.empty()
                             ? "correct " + of_file + ", which names the model; docs/models.md says where models are"
                         : named ? "docs/models.md says where models are, docs/troubleshooting.md what a folder needs"
                         : variable ? "correct DRAGOMAN_MODEL, or unset it"
                                    : "name one with --model or DRAGOMAN_MODEL; docs/models.md says where models are"});
            return false;
        }
        const auto& info = *model_info_;
        sheet_.add({.name = "model",
                    .text = fmt::format("{} ({}), {}, {}, {} of files{}", info.path, origin, info.family,
                                        info.stored_types, with_unit(info.file_bytes),
                                        info.version[0] ? fmt::format(", version {}", info.version) : ""),
                    .facts = {{"path", without_home(info.path)},
                              {"from", origin},
                              {"family", info.family},
                              {"format", info.format},
                              {"parameters", info.parameters},
                              {"version", info.version}}});
        return true;
    }

    // A sentence in a language of the model, and where it goes.
    void choose_languages() {
        std::string& from = command_.from;
        if (from.empty() && !from_.empty()) {
            from = from_.front().tag;
            for (const Sentence& sentence : kSentences) {
                if (!has(from_, sentence.language)) continue;
                from = sentence.language;
                break;
            }
        }
        if (command_.to.empty() && !to_.empty()) {
            command_.to = to_.front().tag;
            for (const char* wanted : {"de", "fr", "es", "en"}) {
                if (wanted == from || !has(to_, wanted)) continue;
                command_.to = wanted;
                break;
            }
        }
        if (!command_.text.empty()) return;
        const auto* sentence = std::ranges::find(kSentences, from,
                                                 [](const Sentence& s) { return std::string(s.language); });
        command_.text = (sentence == kSentences.end() ? kSentences.front() : *sentence).text;
    }

    // The translation, or what else the model makes of the sentence.
    std::string use(const dragoman::Model& model) const {
        const dragoman_model_info info = model.info();
        if (info.decoder_layers == 0) {
            const dragoman::Vectors vectors(model, command_.text);
            return fmt::format("a vector of {} numbers", vectors.width());
        }
        dragoman::Translator translator(model);
        dragoman::TranslateOptions options;
        options.source_language = command_.from.c_str();
        options.target_language = command_.to.c_str();
        if (info.encoder_layers == 0) options.max_decoding_length = 8;
        if (info.has_tokenizer) {
            const std::string_view text = command_.text;
            return std::string(translator.translate(std::span(&text, 1), options).text(0));
        }
        std::vector<std::vector<std::string>> tokens(1);
        for (std::size_t at = 0; at < command_.text.size();) {
            const std::size_t end = std::min(command_.text.find(' ', at), command_.text.size());
            if (end > at) tokens.front().push_back(command_.text.substr(at, end - at));
            at = end + 1;
        }
        std::string said;
        const dragoman::Result result = translator.translate(dragoman::TokenViews(tokens), options);
        for (const dragoman_string& token : result.tokens(0))
            said += (said.empty() ? "" : " ") + std::string(dragoman::view(token));
        return said;
    }

    bool translate() {
        choose_languages();
        const Listener listener;
        const auto timed = [](auto&& work) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        std::string said, problem;
        double load = 0, first = 0, second = 0;
        try {
            dragoman::ModelOptions options = command_.machine.how();
            options.device = device_->get();
            std::optional<dragoman::Model> model;
            load = timed([&] { model.emplace(command_.machine.path(), options); });
            first = timed([&] { said = use(*model); });
            second = timed([&] { said = use(*model); });
            const dragoman_model_info info = model->info();
            sheet_.add({.name = "computes in",
                        .text = fmt::format("{}: {}", info.compute_type, info.compute_reason),
                        .facts = {{"compute_type", info.compute_type}}});
        } catch (const std::exception& error) {
            problem = error.what();
        }
        add_kernels(listener);
        for (const std::string& line : listener.warnings())
            sheet_.add({.name = "warning", .verdict = Verdict::note, .text = line});
        if (!problem.empty()) {
            sheet_.add({.name = "translation",
                        .verdict = Verdict::wrong,
                        .text = problem,
                        .hint = "docs/troubleshooting.md has this message, or please report it with this text"});
            return false;
        }
        const std::string way =
            command_.to.empty() ? "" : (command_.from.empty() ? "" : command_.from) + " to " + command_.to + ": ";
        sheet_.add({.name = "translation",
                    .text = fmt::format("{}\"{}\" became \"{}\"; model loaded in {}, first time {}, second time {}",
                                        way, command_.text, said, milliseconds(load), milliseconds(first),
                                        milliseconds(second)),
                    .facts = {{"source", command_.text},
                              {"target", said},
                              {"load_seconds", load},
                              {"first_seconds", first},
                              {"second_seconds", second}}});
        return true;
    }

    void add_kernels(const Listener& listener) {
        const std::vector<std::string> wrong = listener.wrong();
        const bool trusted = dragoman::os::environment("DRAGOMAN_CHECK_KERNELS") == "0";
        std::string text = trusted              ? "not checked, as DRAGOMAN_CHECK_KERNELS=0 says"
                           : listener.checked() ? fmt::format("{} checked now", listener.checked())
                                                : "those of this translation were checked before";
        if (!trusted)
            text += wrong.empty() ? ", all right" : fmt::format(", {} wrong, others take their place\n", wrong.size());
        sheet_.add({.name = "kernels",
                    .verdict = wrong.empty() ? Verdict::fine : Verdict::note,
                    .text = text + lines_of(wrong),
                    .hint = wrong.empty() ? ""
                                          : "update the driver; please report this with the output of doctor --full",
                    .facts = {{"checked_now", listener.checked()}, {"wrong", wrong}}});
    }

    // As `devices --check`. False: one is wrong, for which there may be no other.
    bool check_kernels() {
        const dragoman::Report checked = dragoman::check_kernels(*device_);
        const Json report = Json::parse(checked.json());
        bool right = add_checked(report, "all kernels");
        for (const Json& other : report.value("others", Json::array()))
            right = add_checked(other, "all kernels of " + other["device"]["name"].get<std::string>()) && right;
        return right;
    }

    bool add_checked(const Json& report, const std::string& name) {
        std::vector<std::string> wrong;
        for (const Json& kernel : report["kernels"])
            if (kernel["result"] == "wrong")
                wrong.push_back(fmt::format("{} {}: {}", kernel["kernel"].get<std::string>(),
                                            kernel["constants"].dump(), kernel.value("text", std::string())));
        sheet_.add({.name = name,
                    .verdict = wrong.empty() ? Verdict::fine : Verdict::wrong,
                    .text = fmt::format("{} right, {} wrong, {} skipped in {:.1f} s{}{}", report["right"].dump(),
                                        report["wrong"].dump(), report["skipped"].dump(),
                                        report["seconds"].get<float>(), wrong.empty() ? "" : "\n", lines_of(wrong)),
                    .hint = wrong.empty() ? "" : "update the driver, or take another device; please report this",
                    .facts = {{"right", report["right"]}, {"wrong", report["wrong"]}, {"skipped", report["skipped"]}}});
        return wrong.empty();
    }

    void look_at_libraries() {
        const std::vector<std::string> names = dragoman::os::loaded_libraries();
        if (names.empty()) return;
        std::string text;
        for (const std::string& name : names) {
            const auto of = [&](const char* begin) { return name.starts_with(begin); };
            if (of("libX") || of("libxcb") || of("libxshm") || of("libwayland")) continue;  // a driver's, for windows
            text += (text.empty() ? "" : " ") + name;
        }
        sheet_.add({.name = "libraries", .text = text, .facts = {{"files", names}}});
    }

    void look_at_variables() {
        std::string text;
        Json facts = Json::object();
        for (const auto& [name, value] : set_variables()) {
            text += (text.empty() ? "" : "\n") + name + "=" + value;
            facts[name] = without_home(value);
        }
        sheet_.add({.name = "environment",
                    .text = text.empty() ? "none of the variables that change translations is set" : text,
                    .facts = {{"variables", facts}}});
    }

    // Defaults of the user's change translations, too. False: translate refuses them.
    bool look_at_config() {
        const std::filesystem::path file = config_path();
        if (file.empty()) return true;
        std::error_code none;
        const bool exists = std::filesystem::exists(file, none);
        const std::string path = without_home(dragoman::text_of(file)), &wrong = command_.wrong_config;
        std::string text = exists ? path + " has defaults for translate; --no-config leaves it alone" : "no " + path;
        sheet_.add({.name = "config",
                    .verdict = wrong.empty() ? Verdict::fine : Verdict::wrong,
                    .text = wrong.empty() ? text : wrong,
                    .hint = wrong.empty() ? "" : "correct that line; until then every translate ends with this message",
                    .facts = {{"file", path}, {"exists", exists}}});
        return wrong.empty();
    }

    DoctorCommand& command_;
    Sheet sheet_;
    std::optional<dragoman::Device> device_;
    std::optional<dragoman_model_info> model_info_;
    std::vector<dragoman::Language> from_, to_;
};

}  // namespace

CLI::App* add_doctor(CLI::App& app, DoctorCommand& command) {
    CLI::App* doctor = app.add_subcommand(
        "doctor",
        "Look at all that a translation needs (driver, device, cache folder, model), translate a sentence, and say\n"
        "what is wrong and what helps; for reports of bugs, too. Ends with 1 if no translation works");
    doctor->add_option("-m,--model", command.machine.model, "Model; default: the one that translate takes");
    add_device(*doctor, command.machine.device);
    add_cache_dir(*doctor, command.machine.cache_dir);
    doctor->add_option("--from", command.from, "Language of the sentence; default: one that the model has");
    doctor->add_option("--to", command.to, "Language to translate it to; default: one that the model has");
    doctor->add_option("--text", command.text, "The sentence; default: one in that language");
    doctor->add_flag("--full", command.full, "Check all kernels, as devices --check does: takes up to some minutes");
    doctor->add_flag("--json", command.json, "As a JSON object");
    return doctor;
}

void take_defaults(DoctorCommand& command, CLI::App& translate, const TranslateCommand& defaults) {
    try {
        read_config(translate);
        check_combinations(translate, {});
    } catch (const Failure& error) {
        command.wrong_config = error.what();
    } catch (const CLI::ParseError& error) {
        command.wrong_config = dragoman::text_of(config_path()) + ": " + error.what();
    }
    if (!command.wrong_config.empty()) return;
    const Machine own = std::exchange(command.machine, defaults.machine);
    Machine& machine = command.machine;
    if (!own.model.empty()) {
        machine.models.clear();
        machine.weights.clear();
        machine.model = own.model;
    } else if (machine.path()) {
        command.model_from = "config.toml";
    }
    if (!own.device.empty()) machine.device = own.device;
    if (!own.cache_dir.empty()) machine.cache_dir = own.cache_dir;
    if (command.from.empty() && defaults.from != "auto") command.from = defaults.from;
    if (command.to.empty()) command.to = defaults.to;
}

bool doctor(DoctorCommand& command) { return Examination(command).run(); }

}  // namespace cli
