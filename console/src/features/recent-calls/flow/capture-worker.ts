import { parseCapture, mergeCaptures } from './model/capture/capture'

// parses in a worker, so that a large file does not block the console
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer[]>) => {
  const captures = data.flatMap((file) => parseCapture(new Uint8Array(file)) ?? [])
  postMessage(captures.length > 0 ? mergeCaptures(captures) : undefined)
})
