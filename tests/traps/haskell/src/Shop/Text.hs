module Shop.Text where

trim :: String -> String
trim text = filter keep text

keep :: Char -> Bool
keep c = c /= ' '

helper :: Int
helper = 1
