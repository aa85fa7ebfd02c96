import type { Capture } from './model/capture/capture'

const parseInMainThread = async (files: ArrayBuffer[]): Promise<Capture | undefined> => {
  const { parseCapture, mergeCaptures } = await import('./model/capture/capture')
  const captures = files.flatMap((file) => parseCapture(new Uint8Array(file)) ?? [])
  return captures.length > 0 ? mergeCaptures(captures) : undefined
}

const parseInWorker = (files: ArrayBuffer[], signal: AbortSignal) =>
  new Promise<Capture | undefined>((resolve, reject) => {
    const worker = new Worker(new URL('./capture-worker.ts', import.meta.url), { type: 'module' })
    const finish = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.onmessage = ({ data }: MessageEvent<Capture | undefined>) => finish(() => resolve(data))
    worker.onerror = () => finish(() => reject(new Error('The packet capture could not be read.')))
    signal.addEventListener('abort', () => finish(() => reject(new Error('The packet capture is no longer needed.'))))
    worker.postMessage(files, files)
  })

/** Parses capture files and merges them; undefined if none is readable. Uses a worker if the environment has them. */
export const readCapture = (files: ArrayBuffer[], signal: AbortSignal): Promise<Capture | undefined> =>
  typeof Worker === 'undefined' ? parseInMainThread(files) : parseInWorker(files, signal)
