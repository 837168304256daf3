// Browsers refuse to start a Worker from a page that is a file. The search of the site is one: there, a hidden
// frame does its work. It knows what a worker knows of its surroundings: postMessage, importScripts, "message".
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.appendChild(this.frame)
      const inside = this.frame.contentWindow
      this.ready = new Promise(resolve => {
        inside.document.open()
        inside.workerReady = resolve
        inside.workerAnswers = data => this.answer(data)
        inside.document.write(`<html><body><script>
          var postMessage = data => workerAnswers(data)
          var importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise(done => {
            const script = document.createElement("script")
            script.src = url
            script.onload = script.onerror = done
            document.body.appendChild(script)
          })), Promise.resolve())
        <\/script><script src="${url}"><\/script><script>workerReady()<\/script></body></html>`)
        inside.document.close()
      })
    }
    answer(data) {
      const event = new MessageEvent("message", {data})
      this.dispatchEvent(event)
      if (this.onmessage) this.onmessage(event)
    }
    postMessage(data) {
      this.ready.then(() => {
        const event = new MessageEvent("message", {data})
        this.frame.contentWindow.dispatchEvent(event)
        if (this.frame.contentWindow.onmessage) this.frame.contentWindow.onmessage(event)
      })
    }
    terminate() {
      this.frame.remove()
    }
  }
}
