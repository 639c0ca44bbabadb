#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace cuvier {

/// What runs once the options are parsed; its result is the exit code.
using Run = std::function<int()>;

// Each declares its options, and is defined in the file of its name.
Run declare_infer(CLI::App& app);
Run declare_check(CLI::App& app);
Run declare_oracle_check(CLI::App& app);
Run declare_port(CLI::App& app);
Run declare_verify(CLI::App& app);
Run declare_validate(CLI::App& app);
Run declare_audit(CLI::App& app);
Run declare_predict(CLI::App& app);
Run declare_run(CLI::App& app);
Run declare_fits(CLI::App& app);
Run declare_order(CLI::App& app);
Run declare_simulate(CLI::App& app);
Run declare_distinguish(CLI::App& app);
Run declare_minimize(CLI::App& app);
Run declare_report(CLI::App& app);
Run declare_import(CLI::App& app);
Run declare_export(CLI::App& app);
Run declare_kit(CLI::App& app);
Run declare_score(CLI::App& app);
Run declare_axes(CLI::App& app);
Run declare_devices(CLI::App& app);
Run declare_completion(CLI::App& app);
Run declare_manual(CLI::App& app);

}  // namespace cuvier
