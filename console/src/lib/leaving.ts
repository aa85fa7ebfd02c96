let going = false

/** The page is on its way out: the browser breaks off what it still asks for, and that is no dead line. */
export const isLeaving = () => going

window.addEventListener('pagehide', () => {
  going = true
})
// a page that was kept and is shown again goes on
window.addEventListener('pageshow', () => {
  going = false
})
