export { confirmEmailLetter, emailChangedLetter, ownEmailChangedLetter, passwordSetLetter } from './letters'
