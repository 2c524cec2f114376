//! A server that runs as long as a test needs it.

use super::client::{Answered, Asking};
use fathom_ui::serve::{ServeOptions, serve};
use fathom_ui::{Opened, OpenedTraces, Page};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;

pub(crate) struct Running {
    pub(crate) at: SocketAddr,
    /// With slashes on both sides.
    pub(crate) path: String,
    stop: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

pub(crate) const PAGE: &str = "<!doctype html><title>t</title><script type=\"module\">a</script>\
                               <style>b</style>";

impl Running {
    pub(crate) fn new(opened: Opened) -> Running {
        Running::with(opened, ServeOptions::default())
    }

    pub(crate) fn traces(opened: OpenedTraces) -> Running {
        Running::new(Opened::Traces(Box::new(opened)))
    }

    pub(crate) fn with(opened: Opened, options: ServeOptions) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = mpsc::channel();
        let stopped = Arc::clone(&stop);
        let server = std::thread::spawn(move || {
            let ready = |address: &fathom_ui::serve::Address| {
                tell.send((address.socket(), address.to_string())).unwrap();
            };
            let stop = || stopped.load(Ordering::Relaxed);
            serve(&Page::of(PAGE), opened, &options, ready, stop).unwrap();
        });
        let (at, url) = told.recv().unwrap();
        let path = url.splitn(4, '/').nth(3).unwrap();
        Running { at, path: format!("/{path}"), stop, server: Some(server) }
    }

    pub(crate) fn asking(&self, method: &str, what: &str) -> Asking {
        Asking::new(method, &format!("{}{what}", self.path), self.at)
    }

    pub(crate) fn get(&self, what: &str) -> Answered {
        self.asking("GET", what).answer(self.at)
    }

    pub(crate) fn post(&self, what: &str, body: &Value) -> Answered {
        self.asking("POST", what).json(body).answer(self.at)
    }

    pub(crate) fn put(&self, what: &str, body: &Value) -> Answered {
        self.asking("PUT", what).json(body).answer(self.at)
    }

    /// Says that it should stop, and waits until it has.
    pub(crate) fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(server) = self.server.take() {
            server.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(server) = self.server.take() {
            // A panic here would hide what the test says.
            let _ = server.join();
        }
    }
}
