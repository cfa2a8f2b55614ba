//! Waits for a child to end. On Linux, the waiting thread sleeps until the child's descriptor signals the end
//! (pidfd_open(2)). On other systems and on old kernels, the thread polls with growing pauses.

use rustix::process::Pid;
use std::time::Duration;

/// The first pause between two polls, if there is no descriptor. Each pause is twice as long as the one before.
const MIN_PAUSE: Duration = Duration::from_micros(50);

/// The longest pause between two polls, and the longest wait for a descriptor.
const MAX_PAUSE: Duration = Duration::from_millis(10);

/// Wakes the waiting thread when a child ends.
pub(super) struct Alarm {
    #[cfg(target_os = "linux")]
    child: Option<std::os::fd::OwnedFd>,
    pause: Duration,
}

impl Alarm {
    #[cfg(target_os = "linux")]
    pub(super) fn new(child: Pid) -> Self {
        // Kernels before 5.3 do not have this system call.
        let child = rustix::process::pidfd_open(child, rustix::process::PidfdFlags::empty()).ok();
        Alarm { pause: if child.is_some() { MAX_PAUSE } else { MIN_PAUSE }, child }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn new(_: Pid) -> Self {
        Alarm { pause: MIN_PAUSE }
    }

    /// Waits for one pause; with a descriptor, only until the child ends. Returns whether the pause has
    /// reached its maximum length; with a descriptor, always returns true.
    pub(super) fn wait(&mut self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(child) = &self.child {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let timeout = Timespec { tv_sec: 0, tv_nsec: MAX_PAUSE.subsec_nanos().into() };
            // The caller polls the child next, so the reason for waking up does not matter.
            let _ = poll(&mut [PollFd::new(child, PollFlags::IN)], Some(&timeout));
            return true;
        }
        std::thread::sleep(self.pause);
        self.pause = MAX_PAUSE.min(self.pause * 2);
        self.pause == MAX_PAUSE
    }
}
