//! The command `drystone`.

fn main() -> std::process::ExitCode {
    drystone_cli::main(std::env::args_os()).into()
}
