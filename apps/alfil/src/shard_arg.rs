//! `--shard`: the part of a divided run that this process works on, also from the variables of Slurm and Kubernetes.

use std::str::FromStr;

use alfil_batch::manifest::Shard;

/// The argument of `--shard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardArg {
    /// A part by number.
    Part(Shard),
    /// The part of a task of a Slurm array. With a number of parts, the ids of the tasks are the numbers of the parts;
    /// without one, the array has a task for each part.
    Slurm(Option<u64>),
    /// The part of a pod of an indexed Kubernetes job, of this number of parts.
    Kubernetes(u64),
}

impl FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "expected I/N with I from 1 to N, such as 2/8, or `slurm`, `slurm/N` or `kubernetes/N`; found {text:?}"
            )
        };
        if text == "slurm" {
            return Ok(ShardArg::Slurm(None));
        }
        let (index, count) = text.split_once('/').ok_or_else(expected)?;
        let count = count.parse().ok().filter(|&count| count > 0).ok_or_else(expected)?;
        match index {
            "slurm" => return Ok(ShardArg::Slurm(Some(count))),
            "kubernetes" => return Ok(ShardArg::Kubernetes(count)),
            _ => {}
        }
        let index = index.parse().ok().filter(|index| (1..=count).contains(index)).ok_or_else(expected)?;
        Ok(ShardArg::Part(Shard { index, count }))
    }
}

impl ShardArg {
    /// Returns the part. `variable` returns the value of an environment variable.
    ///
    /// # Errors
    /// If a variable is missing or is no number, or no part follows from the variables. The step of an array may be
    /// missing: it is 1.
    pub(crate) fn resolve(self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
        let number = |name: &str| -> Result<u64, String> {
            let text = variable(name)
                .ok_or_else(|| format!("--shard: the environment variable {name} is not set"))?;
            text.trim()
                .parse()
                .map_err(|_| format!("--shard: the environment variable {name} is no number: {text:?}"))
        };
        let (index, count, cause) = match self {
            ShardArg::Part(shard) => return Ok(shard),
            ShardArg::Slurm(None) => {
                let id = number("SLURM_ARRAY_TASK_ID")?;
                let first = number("SLURM_ARRAY_TASK_MIN")?;
                let step = match variable("SLURM_ARRAY_TASK_STEP") {
                    Some(_) => number("SLURM_ARRAY_TASK_STEP")?.max(1),
                    None => 1,
                };
                let count = number("SLURM_ARRAY_TASK_COUNT")?;
                // A task that is run again alone is an array of one task: it would do the work of all parts.
                if count == 1 {
                    let message = "--shard slurm: the array has one task; use slurm/N for one part of N, \
                                   or leave --shard out";
                    return Err(message.into());
                }
                (id.saturating_sub(first) / step + 1, count, "the numbers of an array must have one step")
            }
            ShardArg::Slurm(Some(count)) => {
                let id = number("SLURM_ARRAY_TASK_ID")?;
                (id, count, "the ids of an array for slurm/N must be from 1 to N, as in --array=1-N")
            }
            ShardArg::Kubernetes(count) => {
                let index = number("JOB_COMPLETION_INDEX")?.saturating_add(1);
                (index, count, "N of kubernetes/N must be the number of completions of the job")
            }
        };
        if (1..=count).contains(&index) {
            Ok(Shard { index, count })
        } else {
            Err(format!("--shard: the environment variables give part {index} of {count}; {cause}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_from_the_argument_or_from_the_variables_of_an_array() {
        let resolve = |text: &str, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            };
            text.parse::<ShardArg>()?.resolve(variable).map(|shard| (shard.index, shard.count))
        };
        assert_eq!(resolve("2/8", &[]), Ok((2, 8)));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "5"),
        ];
        assert_eq!(resolve("slurm", &slurm), Ok((3, 5)));
        // A task that is run again alone: the other variables are of an array of one task.
        let again =
            [("SLURM_ARRAY_TASK_ID", "7"), ("SLURM_ARRAY_TASK_MIN", "7"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        assert_eq!(resolve("slurm/16", &again), Ok((7, 16)));
        assert_eq!(resolve("kubernetes/4", &[("JOB_COMPLETION_INDEX", "3")]), Ok((4, 4)));
        let unreadable_step = [slurm[0], slurm[1], ("SLURM_ARRAY_TASK_STEP", "two"), slurm[3]];
        for (text, variables, expected) in [
            ("0/8", &[][..], "expected I/N"),
            ("9/8", &[], "expected I/N"),
            ("slurms", &[], "expected I/N"),
            ("slurm/0", &[], "expected I/N"),
            ("slurm", &[], "SLURM_ARRAY_TASK_ID is not set"),
            ("slurm", &again[..], "use slurm/N for one part of N"),
            ("slurm", &unreadable_step[..], "SLURM_ARRAY_TASK_STEP is no number: \"two\""),
            ("slurm/6", &again[..], "part 7 of 6; the ids of an array for slurm/N must be from 1 to N"),
            ("slurm/16", &[("SLURM_ARRAY_TASK_ID", "0")], "part 0 of 16; the ids of an array for slurm/N"),
            ("kubernetes/4", &[("JOB_COMPLETION_INDEX", "4")], "part 5 of 4; N of kubernetes/N"),
            ("kubernetes/4", &[("JOB_COMPLETION_INDEX", "x")], "is no number"),
        ] {
            let error = resolve(text, variables).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
