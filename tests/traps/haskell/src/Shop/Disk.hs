module Shop.Disk where

import qualified Shop.Mail as Mail
import Shop.Text (trim)

data Disk = Disk { name :: String }

save :: Disk -> IO ()
save disk = do
  Mail.send (trim (name disk))
  helper disk
  inner
  where
    inner = Mail.open

helper :: Disk -> IO ()
helper disk = print (name disk)

send :: String -> IO ()
send text = putStrLn text
